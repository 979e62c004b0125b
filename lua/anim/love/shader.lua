--- The shader of all that is drawn in three dimensions, in variants: where a character's rows of numbers come from.
---
--- A character (or each of a crowd) is a row of vec4: three of its place, one of its tint, then three of each joint.
--- "uniform": the row of one character is an array of uniforms. "texture": each line of a texture is a row.
local vertex = [[
#pragma language glsl3
uniform vec4 view[4];      // rows of the matrix from the world to the screen
uniform vec4 sunView[4];   // the same to the shadow map
uniform int base;          // where the joints of this mesh begin in the row
#ifdef TEXTURE_ROWS
uniform highp sampler2D rows;
#else
uniform vec4 row[ROOM];
#endif
uniform int morphCount;    // targets that have a weight now
uniform vec2 morphs[16];   // each: number of the target, weight
uniform int vertexCount;
uniform highp sampler2D targets;

in vec3 VertexNormal;
in vec4 VertexJoints;
in vec4 VertexWeights;

out vec3 worldPosition;
out vec3 worldNormal;
out vec4 sunPosition;
out vec4 tint;

vec4 fetch(int i)
{
#ifdef TEXTURE_ROWS
    return texelFetch(rows, ivec2(i, love_InstanceID), 0);
#else
    return row[i];
#endif
}

vec4 target(int i)
{
    int width = textureSize(targets, 0).x;
    return texelFetch(targets, ivec2(i % width, i / width), 0);
}

vec4 position(mat4 unused, vec4 local)
{
    vec4 p = vec4(local.xyz, 1.0);
    vec3 n = VertexNormal;
    for (int i = 0; i < morphCount; i++) {
        int at = 2 * (int(morphs[i].x) * vertexCount + gl_VertexID);
        p.xyz += morphs[i].y * target(at).xyz;
        n += morphs[i].y * target(at + 1).xyz;
    }
    vec4 r0 = vec4(0.0), r1 = vec4(0.0), r2 = vec4(0.0);
    for (int k = 0; k < 4; k++) {
        int at = base + 3 * int(VertexJoints[k] * 65535.0 + 0.5);
        float w = VertexWeights[k];
        r0 += w * fetch(at);
        r1 += w * fetch(at + 1);
        r2 += w * fetch(at + 2);
    }
    p = vec4(dot(r0, p), dot(r1, p), dot(r2, p), 1.0);
    n = vec3(dot(r0.xyz, n), dot(r1.xyz, n), dot(r2.xyz, n));
    vec4 w0 = fetch(0), w1 = fetch(1), w2 = fetch(2);
    p = vec4(dot(w0, p), dot(w1, p), dot(w2, p), 1.0);
    worldPosition = p.xyz;
    worldNormal = vec3(dot(w0.xyz, n), dot(w1.xyz, n), dot(w2.xyz, n));
    tint = fetch(3);
    sunPosition = vec4(dot(sunView[0], p), dot(sunView[1], p), dot(sunView[2], p), dot(sunView[3], p));
    return vec4(dot(view[0], p), dot(view[1], p), dot(view[2], p), dot(view[3], p));
}
]]

local pixel = [[
#pragma language glsl3
uniform vec4 factor;         // base colour, linear
uniform vec3 emissive;
uniform float cutoff;        // less alpha than this is not drawn; 0: all is
uniform float lit;           // 0: colours as they are
uniform vec3 sun;            // towards it, in the world
uniform vec3 sunColor;
uniform vec3 skyColor;       // light from above and from below
uniform vec3 groundColor;
uniform vec3 eye;
uniform vec3 fogColor;
uniform vec2 fog;            // distance where it is half, strength
uniform float shadow;        // how dark; 0: there is no shadow map
uniform highp sampler2D shadowMap;

in vec3 worldPosition;
in vec3 worldNormal;
in vec4 sunPosition;
in vec4 tint;

float lightAt(float slope)
{
    vec3 p = sunPosition.xyz / sunPosition.w * 0.5 + 0.5;
    if (shadow <= 0.0 || p.z >= 1.0 || p.x <= 0.0 || p.x >= 1.0 || p.y <= 0.0 || p.y >= 1.0)
        return 1.0;
    vec2 texel = 1.0 / vec2(textureSize(shadowMap, 0));
    float depth = p.z - 0.0008 - 0.0025 * slope, sum = 0.0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += texture(shadowMap, p.xy + texel * vec2(x, y)).r < depth ? 0.0 : 1.0;
    return 1.0 - shadow * (1.0 - sum / 9.0);
}

#ifdef SHADOW
vec4 effect(vec4 color, Image image, vec2 at, vec2 screen)
{
    if (Texel(image, at).a * factor.a * color.a < cutoff)
        discard;
    return vec4(1.0);
}
#else
vec4 effect(vec4 color, Image image, vec2 at, vec2 screen)
{
    vec4 texel = Texel(image, at);
#ifndef GAMMA_CORRECT
    texel.rgb = pow(texel.rgb, vec3(2.2));
#endif
    vec4 base = texel * factor * color * tint;
    if (base.a < cutoff)
        discard;
    vec3 n = worldNormal;
    if (dot(n, n) < 1e-6)
        n = cross(dFdx(worldPosition), dFdy(worldPosition));
    n = normalize(n);
    vec3 toEye = normalize(eye - worldPosition);
    if (dot(n, toEye) < -0.2)
        n = -n;
    float facing = max(dot(n, sun), 0.0);
    vec3 light = mix(groundColor, skyColor, 0.5 + 0.5 * n.y) + sunColor * facing * lightAt(1.0 - facing);
    float rim = pow(1.0 - max(dot(n, toEye), 0.0), 4.0);
    vec3 shaded = mix(base.rgb, base.rgb * light + 0.06 * rim * skyColor, lit) + emissive;
    float far = length(eye - worldPosition);
    shaded = mix(shaded, fogColor, fog.y * far * far / (far * far + fog.x * fog.x));
#ifndef GAMMA_CORRECT
    shaded = pow(shaded, vec3(1.0 / 2.2));
#endif
    return vec4(shaded, base.a);
}
#endif
]]

local shader = { largestRow = 208 } -- vec4 that surely fit besides the others: OpenGL 3.3 has room for 256

-- The vertex shader's own numbers of a pixel shader that does not use them would be optimised away, and sending them
-- an error: what is there is asked for once.
local function inspect(program)
  local known = {}
  for name in (vertex .. pixel):gmatch("uniform%s[%w%s]-%s(%w+)%[?%w*%]?;") do
    known[name] = program:hasUniform(name)
  end
  return known
end

local made = {}

--- { program = Shader, has = { name = boolean }, room = vec4 of a row, frame = of what was last sent }, made once for
--- each variant. `rows`: "texture", or how many vec4 a row has; `pass`: "color" or "shadow".
function shader.get(rows, pass)
  local room = rows == "texture" and rows or math.ceil(rows / 16) * 16
  local key = pass .. " " .. room
  if made[key] then return made[key] end
  if not love.graphics.getSupported().glsl3 then
    error("anim.love: this machine's graphics driver lacks GLSL 3 (OpenGL 3.3 or OpenGL ES 3)", 0)
  end
  local head = room == "texture" and "#define TEXTURE_ROWS\n" or ("#define ROOM %d\n"):format(room)
  if pass == "shadow" then head = head .. "#define SHADOW\n" end
  if love.graphics.isGammaCorrect() then head = head .. "#define GAMMA_CORRECT\n" end
  local function with(code) return (code:gsub("(#pragma language glsl3\n)", "%1" .. head)) end
  local program = love.graphics.newShader(with(pixel), with(vertex))
  made[key] = { program = program, has = inspect(program), room = room, frame = -1 }
  return made[key]
end

--- Sends what the variant has a use for; `value` is a number, table or Data.
function shader.send(variant, name, value)
  if variant.has[name] then variant.program:send(name, value) end
end

return shader
