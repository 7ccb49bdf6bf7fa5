-- Marks In and Out while watching, and cuts the part out, or removes it, with trim.
--
-- i  In is the frame on screen            o  Out: the part ends before the frame on screen
-- t  write the part                       T  write the file without the part
-- Ctrl+t  forget both marks
--
-- Options, in script-opts/trim.conf or --script-opts=trim-NAME=VALUE:
--   program=trim      the program
--   folder=           where files are written; by default beside the file
--   arguments=        more words for 'trim cut', such as --sidecars
--   keys=yes          no: bind the names trim-in, trim-out, trim-part, trim-rest, trim-clear in input.conf

local mp = require "mp"
local utils = require "mp.utils"
local options = { program = "trim", folder = "", arguments = "", keys = true }
require("mp.options").read_options(options, "trim")

local marks = {}
local running = false

local function show(text, seconds)
  mp.osd_message(text, seconds or 3)
  mp.msg.info(text)
end

-- The position of the frame on screen; mpv counts from the first one that is shown, as trim does.
local function position()
  return mp.get_property_number("time-pos")
end

-- With six digits trim takes the frame that begins within a millionth of a second.
local function written(time)
  return string.format("%.6f", math.max(0, time))
end

local function clock(time)
  return mp.format_time(time, "%H:%M:%S.%T")
end

-- What waits for the picture that is sought: until then mpv reports the time that was asked for.
local waiting = {}

local function when_shown(work)
  if mp.get_property_bool("seeking") then table.insert(waiting, work) else work() end
end

mp.register_event("playback-restart", function()
  local works = waiting
  waiting = {}
  for _, work in ipairs(works) do work() end
end)

local function mark(name)
  local time = position()
  if not time then return show("trim: nothing is shown") end
  marks[name] = time
  show(("%s %s"):format(name == "from" and "In" or "Out", clock(time)))
end

local function exists(path) return utils.file_info(path) ~= nil end

-- A name that no file has yet: clip-trimmed.mp4, clip-trimmed-2.mp4.
local function output(path)
  local folder, name = utils.split_path(path)
  if options.folder ~= "" then folder = mp.command_native({ "expand-path", options.folder }) end
  local stem, extension = name:match("^(.+)(%.[^.]+)$")
  if not stem then stem, extension = name, ".mkv" end
  local number = 1
  while true do
    local tail = number == 1 and "-trimmed" or "-trimmed-" .. number
    local free = utils.join_path(folder, stem .. tail .. extension)
    if not exists(free) then return free end
    number = number + 1
  end
end

local function last_line(text)
  local last
  for line in (text or ""):gmatch("[^\r\n]+") do
    if not line:match("^  ") then last = line end
  end
  return last
end

local function cut(removes)
  if running then return show("trim: still writing") end
  local path = mp.get_property("path")
  if not path or path:find("^%a[%w+.-]*://") then return show("trim: only local files are cut") end
  if not marks.from and not marks.to then return show("trim: mark In with i, or Out with o, first") end
  path = utils.join_path(utils.getcwd(), path)
  if marks.from and marks.to and marks.to <= marks.from then return show("trim: Out is before In") end
  local target = output(path)
  local words = { options.program, "cut", "--output=" .. target }
  if removes then
    local to = marks.to or mp.get_property_number("duration")
    table.insert(words, "--remove=" .. written(marks.from or 0) .. ".." .. written(to))
  else
    if marks.from then table.insert(words, "--from=" .. written(marks.from)) end
    if marks.to then table.insert(words, "--to=" .. written(marks.to)) end
  end
  for word in options.arguments:gmatch("%S+") do table.insert(words, word) end
  table.insert(words, "--")
  table.insert(words, path)
  running = true
  show("trim: writing …", 600)
  mp.command_native_async({
    name = "subprocess", args = words, playback_only = false, capture_stdout = true, capture_stderr = true,
  }, function(ok, result)
    running = false
    if ok and result.status == 0 then
      local _, name = utils.split_path(target)
      show("trim: " .. name, 6)
    elseif result and result.error_string == "init" then
      show("trim: " .. options.program .. " cannot be started", 6)
    else
      show(last_line(result and result.stderr) or "trim: failed", 8)
    end
  end)
end

local function clear()
  marks = {}
  show("trim: no marks")
end

local function bind(key, name, work)
  mp.add_key_binding(options.keys and key or nil, name, work)
end

bind("i", "trim-in", function() when_shown(function() mark("from") end) end)
bind("o", "trim-out", function() when_shown(function() mark("to") end) end)
bind("t", "trim-part", function() when_shown(function() cut(false) end) end)
bind("T", "trim-rest", function() when_shown(function() cut(true) end) end)
bind("Ctrl+t", "trim-clear", clear)
mp.register_event("start-file", function() marks, waiting = {}, {} end)
