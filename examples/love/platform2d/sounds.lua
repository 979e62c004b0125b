-- Short sounds, made of noise and sine waves.
local sounds = {}

local sources = {}
local rate = 22050

local function make(seconds, sample)
  local data = love.sound.newSoundData(math.floor(seconds * rate), rate, 16, 1)
  for i = 0, data:getSampleCount() - 1 do
    local t = i / rate
    data:setSample(i, math.max(-1, math.min(1, sample(t, t / seconds))))
  end
  return love.audio.newSource(data, "static")
end

local function noise() return love.math.random() * 2 - 1 end

function sounds.load()
  if not (love.audio and love.sound) then return end
  local last = 0
  local function dull(share)
    last = last + (noise() - last) * share
    return last
  end
  sources.step = make(.06, function(_, s) return dull(.25) * .5 * (1 - s) ^ 2 end)
  sources.thud = make(.14, function(t, s) return (dull(.1) + .5 * math.sin(t * 420)) * .7 * (1 - s) ^ 2 end)
  sources.jump = make(.16, function(t, s) return .25 * math.sin(t * (1800 + 5200 * s)) * (1 - s) end)
  sources.swing = make(.15, function(_, s) return dull(.5) * .4 * math.sin(s * math.pi) end)
  sources.hit = make(.2, function(t, s) return (dull(.6) * .5 + .4 * math.sin(t * 700)) * (1 - s) ^ 3 end)
end

function sounds.play(name)
  local source = sources[name]
  if not source then return end
  source:stop()
  source:play()
end

return sounds
