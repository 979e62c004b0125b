function love.conf(t)
  t.identity = "anim_platform2d"
  t.window.title = "anim: a 2D platform character"
  t.window.width, t.window.height = 800, 480
  t.window.msaa = 4
  t.modules.physics, t.modules.video, t.modules.thread = false, false, false
end
