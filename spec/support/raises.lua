-- Errors and their messages, without the place in the script that luaL_where puts before them.
local assert = require("luassert") -- busted hands it to specs only

local raises = {}

-- The message of the error that `body(...)` must raise.
function raises.message(body, ...)
  local ran, message = pcall(body, ...)
  assert.is_false(ran, "no error")
  assert.is_string(message)
  return (message:gsub("^[^:]+:%d+: ", ""))
end

function raises.exactly(expected, body, ...) assert.are.equal(expected, raises.message(body, ...)) end

return raises
