package = "anim"
version = "scm-1"
source = {
  url = "git+https://example.org/anim.git",
}
description = {
  summary = "Character animation: skeletons, clips, blending, state machines, IK",
  detailed = "Loads glTF and BVH characters, samples, blends and corrects their poses, for Lua, LuaJIT and LÖVE.",
  license = "MIT",
}
dependencies = {
  "lua >= 5.1, < 5.5",
}
external_dependencies = {
  CGLM = { header = "cglm/cglm.h" },
  JSMN = { header = "jsmn.h" },
}
build = {
  type = "builtin",
  modules = {
    ["anim.core"] = {
      sources = {
        "csrc/base/arena.c",
        "csrc/base/error.c",
        "csrc/base/mem.c",
        "csrc/base/names.c",
        "csrc/base/notes.c",
        "csrc/import/number.c",
        "csrc/math/xform.c",
        "csrc/pose/blend.c",
        "csrc/pose/mask.c",
        "csrc/pose/model.c",
        "csrc/pose/pose.c",
        "csrc/pose/skeleton.c",
        "csrc/pose/skin.c",
      },
      incdirs = { "csrc", "$(CGLM_INCDIR)", "$(JSMN_INCDIR)" },
      libraries = { "m", "pthread" },
    },

  },
}
