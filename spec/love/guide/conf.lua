function love.conf(t)
  t.identity = "anim_love_guide"
  t.window.width, t.window.height = 320, 240
  t.modules.audio = false
end
