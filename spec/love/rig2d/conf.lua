function love.conf(t)
  t.identity = "anim_rig2d_checks"
  t.window.width, t.window.height = 64, 64
  t.modules.audio, t.modules.sound, t.modules.physics = false, false, false
end
