function love.conf(t)
  t.identity = "anim_love_checks"
  t.window.width, t.window.height = 320, 240
  t.modules.audio, t.modules.physics, t.modules.video = false, false, false
end
