function love.conf(t)
  t.identity = "anim_arena"
  t.window.title = "anim: arena"
  t.window.width, t.window.height = 960, 600
  t.window.resizable = true
  t.modules.physics, t.modules.video = false, false
end
