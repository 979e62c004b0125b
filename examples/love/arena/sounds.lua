-- Sounds made by arithmetic: steps, a stroke, a blow.
local sounds = {}

local rate = 22050

-- `wave(t, noise)` gives -1 to 1; `noise` is smoothed, the more the smaller `cut`.
local function render(seconds, cut, wave)
  local count = math.floor(seconds * rate)
  local data = love.sound.newSoundData(count, rate, 16, 1)
  local random, smooth = love.math.newRandomGenerator(count), 0
  for i = 0, count - 1 do
    smooth = smooth + cut * (2 * random:random() - 1 - smooth)
    data:setSample(i, math.max(-1, math.min(1, wave(i / rate, smooth))))
  end
  return data
end

local recipes = {
  step = { .12, .25, function(t, noise)
    return (2.2 * noise * math.exp(-38 * t) + .5 * math.sin(520 * t * math.exp(-6 * t)) * math.exp(-30 * t)) * .8
  end },
  stroke = { .28, .5, function(t, noise) return noise * 1.4 * math.sin(math.pi * t / .28) ^ 3 end },
  blow = { .3, .3, function(t, noise)
    return 1.6 * noise * math.exp(-22 * t) + .8 * math.sin(700 * t * math.exp(-5 * t)) * math.exp(-12 * t)
  end },
}

local voices, next = {}, {}

function sounds.load()
  for name, recipe in pairs(recipes) do
    local data = render(unpack(recipe))
    voices[name], next[name] = {}, 1
    for i = 1, 6 do voices[name][i] = love.audio.newSource(data, "static") end
  end
end

function sounds.play(name, volume, pitch)
  local list = voices[name]
  local source = list[next[name]]
  next[name] = next[name] % #list + 1
  source:stop()
  source:setVolume(math.max(0, math.min(1, volume)))
  source:setPitch(pitch or 1)
  source:play()
end

return sounds
