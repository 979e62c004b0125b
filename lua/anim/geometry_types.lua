---@meta anim.geometry
--- What a model holds to be drawn: there with the option `meshes = true`, for glTF files. Never run.
--- Numbers in the strings are little-endian. Colours and factors are linear, as in glTF.

---@class anim.Model
---@field meshes? anim.Mesh[]
---@field meshUses? anim.MeshUse[] where the scene has them, in the order of its nodes
---@field materials? anim.Material[]
---@field images? anim.Image[]

---@class anim.LoadOptions
---@field meshes? boolean glTF: also read what is drawn: meshes, materials and images; default false. A file that names an image that cannot be had does not load then

---@class anim.Mesh
---@field name string "mesh<n>" where the file has none; not unique
---@field targetCount integer morph targets
---@field parts anim.MeshPart[] triangles of one material each; points, lines and what Draco compressed are left out with a warning

--- A vertex has 60 bytes: position (3 floats), normal (3 floats; zeros: none, for flat faces), texture coordinates (2
--- floats, v downwards), colour (4 bytes, 255 is 1), joints of the skin (4 unsigned 16-bit numbers, from 0), their
--- weights (4 floats, sum 1).
---@class anim.MeshPart
---@field material? integer in the model's `materials`
---@field vertexCount integer
---@field vertices string of bytes
---@field indexCount integer three a triangle
---@field indices string of unsigned 32-bit numbers, from 0, counter-clockwise in front
---@field targets? string of floats: for each morph target, for each vertex what is added to position and normal (6)
---@field hasNormals boolean
---@field hasJoints boolean

--- A mesh at its place. With a skin the palette places its vertices, else the joint's matrix, else `matrix`.
---@class anim.MeshUse
---@field name string of the node; not unique
---@field mesh integer in the model's `meshes`
---@field skin? integer in the model's `skins`
---@field joint? integer of the skeleton
---@field morph? integer in the model's `morphs`: what drives its targets
---@field matrix number[] 16, column-major: the node in model space, at rest

---@class anim.Material
---@field name string
---@field baseColor number[] r, g, b, a
---@field emissive number[] r, g, b
---@field image? integer in the model's `images`: the base colour's texture
---@field wrapS "repeat" | "mirroredrepeat" | "clamp"
---@field wrapT "repeat" | "mirroredrepeat" | "clamp"
---@field filter "linear" | "nearest"
---@field alphaMode "opaque" | "mask" | "blend"
---@field alphaCutoff number of "mask": what has less alpha is not drawn
---@field doubleSided boolean
---@field unlit boolean

---@class anim.Image
---@field name string
---@field mime string "image/png", "image/jpeg", or "" where the file does not say
---@field bytes? string as in the file; none for images that no base colour needs
