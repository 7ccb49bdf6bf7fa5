// The studio's page: a view of a session that lives in the program. It draws the session's state and
// sends what the user does; it decides nothing about times.

import { arrival } from "./arrival.js";
import { Controls } from "./controls.js";
import { Find } from "./find.js";
import { areOn, help, listen, turn } from "./keys.js";
import { Markers } from "./markers.js";
import { Player } from "./player.js";
import { Sounds } from "./sounds.js";
import { Timeline } from "./timeline.js";
import { Frames, Time, clock, zero } from "./times.js";
import { File, fetchInTurn, list, page, quit } from "./wire.js";

const byId = (id) => document.getElementById(id);
const PATIENCE = 600; // ms in which the first picture has the processor to itself
const SNAPS = ["off", "frame", "keyframe"];
/** The inputs that are about what the page shows of the timeline. */
const PLACED = new Set([
  "time_range_did_change", "playhead_did_move", "playhead_did_drag", "playback_time_did_change", "nudge",
  "in_point_did_set", "out_point_did_set", "part_did_split", "range_did_remove", "marker_did_add",
]);

/** What does not change of a file, with its times read. */
function readOpening({ facts, frames, keyframes, chapters, media }) {
  return {
    facts, media, frames: new Frames(frames), keyframes: new Frames(keyframes),
    chapters: chapters.map(({ start, title }) => ({ start: new Time(start), title })),
  };
}

class Editor {
  constructor(file, opening) {
    this.file = file;
    this.handles = {
      in: byId("handle-in"), out: byId("handle-out"), playhead: byId("handle-playhead"),
    };
    for (const [name, handle] of Object.entries(this.handles)) handle.dataset.handle = name;
    this.player = new Player(
      { videos: [byId("video"), byId("spare")], still: byId("still"), screen: byId("screen") }, this.file, {
        onPosition: (seconds) => this.move(seconds),
        onReport: (time) => this.send("playback_time_did_change", { position: String(time) }),
        onPictures: () => this.tellPictures(),
        onStream: (manners) => this.tellStream(manners),
        onRefused: () => this.send("pause_did_tap"),
        onReady: () => {
          this.timeline.load();
          this.loadResult();
        },
      });
    this.shownFile = this.file;
    this.shownSource = 0;
    this.openings = new Map([[0, readOpening(opening)]]);
    document.title = `${opening.facts.name} – trim studio`;
    this.open(this.openings.get(0), opening.state.message.screen);
    this.timeline = new Timeline({
      track: byId("track"), canvas: byId("canvas"), range: byId("range"), handles: this.handles,
      viewStart: byId("view-start"), viewEnd: byId("view-end"),
    }, this.file, {
      onGrab: (handle) => this.grab(handle), onDrag: (handle, to) => this.drag(handle, to),
      onPoint: (seconds) => this.point(seconds),
      onRelease: (handle) => this.release(handle), onPinch: (handle) => this.pinch(handle),
    });
    this.markers = new Markers(this);
    this.findings = [];
    this.find = new Find(this, opening.finding);
    this.formats = opening.lists;
    this.sounds = new Sounds(this, opening.sounds);
    byId("snapshot").addEventListener("click", () => this.saveFrame());
    this.controls = new Controls(this.file, this);
    this.file.keepsListening = () => this.isMine;
    for (const [name, handle] of Object.entries(this.handles)) {
      handle.addEventListener("focus", () => this.lookAt(name));
      handle.addEventListener("click", (event) => event.preventDefault());
    }
    listen(this);
    this.update(opening.state);
    this.send("view_did_appear");
    this.file.listen((name, value) => this.hear(name, value));
  }

  /** What is about the file that the page turns away from is not sent: the session is on another one. */
  send(type, fields) {
    if (this.isTurning && PLACED.has(type)) return Promise.resolve();
    return this.file.input(type, fields);
  }

  /** Whether the session shows another file than the page does yet. */
  get isTurning() {
    const screen = this.state?.message.screen;
    return screen?.screen === "ready" && (screen.source ?? 0) !== this.shownSource;
  }

  // Messages from the program

  hear(name, value) {
    const connection = byId("connection");
    if (name === "connected") connection.hidden = true;
    if (name === "lost") {
      connection.hidden = false;
      connection.textContent =
        "The studio does not respond. This page goes on when it does; if it has ended, start it again.";
    }
    if (name === "locked") {
      connection.hidden = false;
      connection.textContent = "Another studio answers here now: open the address that it printed.";
    }
    if (name === "end") {
      connection.hidden = true;
      showDoor(value.title, value.text);
    }
    if (name === "state") this.update(value);
    if (name === "moment") this.moment(value.message.event);
  }

  open(opening, screen) {
    const { facts } = opening;
    this.opening = opening;
    this.facts = facts;
    byId("name").textContent = facts.name;
    byId("summary").textContent = facts.summary;
    byId("editor").dataset.pictures = String(Boolean(facts.shape));
    byId("no-picture").hidden = Boolean(facts.shape);
    byId("no-picture").textContent = facts.no_picture ?? "Audio only";
    // The browser's player takes longest to start.
    if (screen.screen === "ready" && (screen.source ?? 0) === this.shownSource) this.openPlayer(screen.bounds);
  }

  // Parts of several files

  /** The file with an index, as the program serves it. */
  fileOf(source) {
    if (source === 0) return this.file;
    this.files ??= new Map();
    if (!this.files.has(source)) this.files.set(source, new File(this.state.sources[source].file));
    return this.files.get(source);
  }

  /** The name of a part's file, if there are several. */
  nameOf({ source = 0 }) { return this.state.sources?.[source]?.name ?? ""; }

  /** The file of the selected part takes the place of the one that is shown. */
  async turnTo(source) {
    if (this.turning === source) return;
    this.turning = source;
    this.player.pause();
    try {
      if (!this.openings.has(source)) this.openings.set(source, readOpening(await this.fileOf(source).opening()));
    } catch (error) {
      if (this.turning === source) this.turnBack(error.message);
      return;
    }
    if (this.turning !== source) return;
    this.turning = null;
    const { screen } = this.state.message;
    if (screen.source !== source) return this.update(this.state);
    this.shownSource = source;
    this.shownFile = this.fileOf(source);
    this.dragged = this.bounds = this.timeline.bounds = null;
    this.looked = "playhead";
    byId("preview-note").hidden = true;
    this.player.file = this.timeline.file = this.shownFile;
    this.sounds.show(source === 0);
    byId("show-find").disabled = source !== 0;
    byId("show-find").title = source === 0 ? "Find silence, black, still pictures, scenes and fades  d"
      : "It finds in the first file: select a part of that";
    this.open(this.openings.get(source), screen);
    this.update(this.state);
  }

  /** The other file was not opened: a part of the one that is shown is selected, and a click tries again. */
  turnBack(sentence) {
    this.turning = null;
    this.note(sentence);
    const part = this.state.message.screen.list?.parts.find((part) => this.isShown(part));
    if (part) this.send("part_did_select", { id: part.id });
  }

  /** Another file of the studio's folders. */
  async addFile() {
    if (byId("add-file").hidden || this.screen.export_state.state !== "idle") return;
    this.pause();
    (await folderDialog).addTo(this.file);
  }

  openPlayer({ start, end }) {
    this.bounds = { start: new Time(start), end: new Time(end) };
    this.player.open({ ...this.opening, bounds: this.bounds });
  }

  update(state) {
    const { screen } = state.message;
    this.state = state;
    if (screen.screen !== "ready") return this.fail(screen);
    byId("editor").hidden = false;
    if ((screen.source ?? 0) !== this.shownSource) {
      this.screen ??= screen;
      return void this.turnTo(screen.source ?? 0);
    }
    this.turning = null;
    this.range = { start: new Time(screen.time_range.start), end: new Time(screen.time_range.end) };
    this.playhead = new Time(screen.playback_time);
    if (!this.bounds) this.openPlayer(screen.bounds);
    if (!this.timeline.bounds) {
      this.timeline.open({ ...this.opening, bounds: this.bounds });
      setTimeout(() => this.timeline.load(), PATIENCE);
    }
    this.screen = screen;
    this.isMine = screen.is_playing && state.player === page;
    this.player.range = this.range;
    if (!screen.is_playing || !this.isMine) this.player.pause();
    if (this.isMine) this.player.play(this.playhead, this.range);
    this.controls.update(state, screen, this);
    this.markers.update(screen, state.words);
    this.find.update(state, screen);
    this.sayWhatIsSeen();
    this.list?.update(state);
    this.lists?.update(screen);
    this.draw();
    // It measures the screen size, after everything else has been laid out.
    if (!this.isMine) this.player.show(this.watched);
  }

  /** Labels the picture shown for the In or Out handle: its time, and the first or last frame of the part. */
  sayWhatIsSeen() {
    const { looked, opening: { frames }, state: { words } } = this;
    if (this.screen.is_playing || !["in", "out"].includes(looked)) return;
    const index = frames.count ? ` · ${looked === "in" ? "first" : "last"} frame of the part: `
      + `number ${frames.at(this.watched)}` : "";
    byId("playhead-time").textContent = looked === "in" ? words.start : words.end;
    byId("frame").textContent = (looked === "in" ? "In" : "Out") + index;
  }

  moment(event) {
    if (event.type === "seek" || event.type === "restarted_video") {
      const time = new Time(event.position);
      this.playhead = time;
      this.looked = "playhead";
      this.player.jump(time);
    }
  }

  fail(screen) {
    if (screen.screen === "failed") showDoor(screen.failure.message, screen.failure.hint ?? "");
  }

  /** @param manners how each kind of track is delivered to the browser */
  tellStream(manners) {
    if (this.sounds?.note && this.shownSource === 0) return this.note(this.sounds.note);
    const made = Object.keys(manners).filter((kind) => manners[kind] === "made");
    if (!made.length)
      return this.note("Your browser cannot open this type of file, so the studio passes the video and "
        + "audio to it unchanged, in segments.");
    const what = made.includes("video") ? "this type of file" : "the audio of this file";
    this.note(`Your browser cannot play ${what}, so the studio encodes a preview during playback. `
      + "When paused, you see the exact frame.");
  }

  tellPictures() {
    this.note(this.facts.shape
      ? "Your browser cannot play this file, so the preview shows frames without audio. Each frame is "
        + "exact, and the export is not affected."
      : "Your browser cannot play this audio. The export is not affected.");
  }

  note(text) {
    byId("preview-note").hidden = false;
    byId("preview-note").textContent = text;
  }

  // Drawing

  draw(seconds = this.playhead.seconds) {
    const plan = this.state.plan;
    const dragged = this.dragged?.seconds;
    const at = (name, value) => this.dragged?.handle === name ? dragged : value;
    this.timeline.update({
      start: at("in", this.range.start.seconds), end: at("out", this.range.end.seconds),
      playhead: at("playhead", seconds),
      parts: this.drawnParts(at),
      count: this.screen.list.parts.length,
      markers: (this.screen.list.markers ?? []).filter(({ source = 0 }) => source === this.shownSource).map(({ position, name }) => ({
        place: new Time(position).seconds, name,
      })),
      findings: this.shownSource === 0 ? this.findings : [],
      encoded: (plan?.encoded ?? []).map((part) => ({
        start: new Time(part.start).seconds, end: new Time(part.end).seconds,
      })),
    });
    const words = this.state.words;
    const spoken = { in: words.start, out: words.end, playhead: words.playhead };
    const exact = { in: this.range.start, out: this.range.end, playhead: this.playhead };
    for (const [name, handle] of Object.entries(this.handles)) {
      handle.setAttribute("aria-valuemin", "0");
      handle.setAttribute("aria-valuemax", this.bounds.end.seconds.toFixed(3));
      handle.setAttribute("aria-valuenow", exact[name].seconds.toFixed(3));
      handle.setAttribute("aria-valuetext", spoken[name]);
    }
  }

  /** The parts of the file that is shown; the selected one as its handles are being dragged. */
  drawnParts(at) {
    const { parts, selected_index: selected } = this.screen.list;
    return parts.map((part, index) => ({ ...part, index })).filter((part) => this.isShown(part)).map((part) => {
      const { id, name, range, index } = part;
      const isSelected = index === selected;
      const [start, end] = [new Time(range.start).seconds, new Time(range.end).seconds];
      return { id, name, number: index + 1, isSelected, start: isSelected ? at("in", start) : start, end: isSelected ? at("out", end) : end };
    });
  }

  isShown({ source = 0 }) { return source === this.shownSource; }

  /** Playback has advanced: update the display. */
  move(seconds) {
    byId("playhead-time").textContent = clock(seconds, 3);
    this.timeline.follow(seconds);
    this.draw(seconds);
  }

  /** The instant being shown: the playhead, or the handle last focused or dragged. */
  get watched() {
    if (this.looked === "in") return this.range.start;
    if (this.looked !== "out") return this.playhead;
    const { frames } = this.opening;
    if (!frames.count) return this.range.end;
    // The last frame inside the range.
    let index = frames.at(this.range.end);
    if (index > 0 && frames.start(index).equals(this.range.end)) index -= 1;
    return frames.start(Math.max(0, index));
  }

  lookAt(name) {
    this.looked = name;
    if (!this.range || this.screen.is_playing) return;
    this.player.show(this.watched);
    this.controls.update(this.state, this.screen, this);
    this.sayWhatIsSeen();
  }

  // User actions

  get active() {
    const name = document.activeElement?.dataset?.handle;
    return name ?? "playhead";
  }

  nudge(step) {
    this.looked = this.active;
    this.send("nudge", { handle: this.active, step });
  }

  playOrPause() {
    if (this.screen.is_playing) return this.pause();
    this.looked = "playhead";
    // Browsers only allow audio to start on a user gesture.
    this.send("play_did_tap");
  }

  pause() { this.send("pause_did_tap"); }

  grab(handle) {
    this.looked = handle;
    this.dragged = null;
    this.origin = this.playhead;
    if (handle !== "playhead") this.send("drag_did_begin");
  }

  /** A click: the playhead goes there, and another part that is there is selected. */
  point(seconds) {
    this.drag("playhead", seconds);
    const { parts, selected_index: selected } = this.screen.list;
    const time = Time.near(seconds);
    const holds = ({ range, source = 0 }) => source === this.shownSource &&
      new Time(range.start).compare(time) <= 0 && time.compare(new Time(range.end)) < 0;
    if (holds(parts[selected])) return;
    const part = parts.find(holds);
    if (part) this.place("playhead", time).then(() => this.send("part_did_select", { id: part.id }));
  }

  /** The pointer position as an exact time; the session decides what it means. */
  drag(handle, seconds) {
    this.dragged = { handle, seconds };
    this.draw();
    if (this.isSending) return;
    this.isSending = true;
    requestAnimationFrame(async () => {
      const { dragged } = this;
      if (dragged) await this.place(dragged.handle, Time.near(dragged.seconds));
      this.isSending = false;
      if (this.dragged && this.dragged !== dragged) this.drag(this.dragged.handle, this.dragged.seconds);
    });
  }

  place(handle, time) {
    const { start, end } = this.range;
    const least = (a, b) => a.compare(b) < 0 ? a : b;
    const most = (a, b) => a.compare(b) > 0 ? a : b;
    if (handle === "playhead") return this.send("playhead_did_drag", { position: String(time) });
    const [from, to] = handle === "in" ? [least(time, end), end] : [start, most(time, start)];
    return this.send("time_range_did_change", { from: String(from), to: String(to) });
  }

  async release(handle) {
    const { dragged } = this;
    if (dragged) await this.place(dragged.handle, Time.near(dragged.seconds));
    if (handle && handle !== "playhead") await this.send("drag_did_end");
    this.dragged = null;
    if (this.state) this.draw();
  }

  /** The first finger of a pinch does not count: the playhead is where it was. */
  pinch(handle) {
    this.dragged = null;
    if (handle !== "playhead") return this.send("drag_did_end");
    if (!this.playhead.equals(this.origin) || this.isSending)
      this.send("playhead_did_move", { position: String(this.origin) });
    this.draw();
  }

  goTo(place) {
    const { start, end } = this.range;
    const time = { start, end, first: zero, last: this.bounds.end }[place];
    this.looked = "playhead";
    this.send("playhead_did_move", { position: String(time) });
  }

  goToTenth(tenth) {
    this.send("playhead_did_move", { position: String(this.bounds.end.times(tenth, 10)) });
  }

  setSpeed(rate) {
    byId("speed").value = String(rate);
    this.player.setRate(rate);
  }

  changeSpeed(factor) {
    const rates = [...byId("speed").options].map((option) => Number(option.value));
    const index = rates.indexOf(this.player.rate) + (factor > 1 ? 1 : -1);
    this.setSpeed(rates[Math.min(rates.length - 1, Math.max(0, index))]);
    if (!this.screen.is_playing) this.playOrPause();
  }

  setVolume(volume) {
    this.player.deck.setVolume(volume);
    this.showMute();
  }

  mute() {
    this.player.deck.setMuted(!this.player.deck.isMuted);
    this.showMute();
  }

  showMute() { byId("mute").setAttribute("aria-pressed", String(Boolean(this.player.deck.isMuted))); }

  nextSnap() {
    const next = SNAPS[(SNAPS.indexOf(this.screen.snap) + 1) % SNAPS.length];
    this.send("snap_did_change", { snap: next });
  }

  selectPart(step) {
    const { parts, selected_index: selected } = this.screen.list;
    const index = (selected + step + parts.length) % parts.length;
    this.send("part_did_select", { id: parts[index].id });
  }

  joinOrSeparate() { this.send("join_did_change", { is_on: !this.screen.list.joins }); }

  /** Text that was refused is never passed over: the field keeps the focus until it is mended. */
  async export() {
    if (await this.controls.isRefused()) return;
    this.send("export_did_tap");
  }

  /** Loads what is not visible at first when idle, or when needed. */
  loadResult() {
    this.result ??= import("./result.js").then(({ Result }) => new Result(this.file));
    // Without a response it is requested again.
    this.result.catch(() => { this.result = null; });
    return this.result;
  }

  async preview() {
    this.pause();
    if (await this.controls.isRefused()) return;
    await this.file.last;
    await (await this.loadResult()).open();
  }

  /** The list of parts with pictures and sizes. */
  async listParts() {
    const { PartsList } = await import("./list.js");
    this.list ??= new PartsList(this.file, this);
    this.list.open();
  }

  /** Lists of other programs, and the project. */
  async showLists() {
    const { Lists } = await import("./lists.js");
    this.lists ??= new Lists(this, this.formats);
    this.lists.open();
  }

  /** The exact frame that is shown, as the program decodes it. */
  async saveFrame() {
    byId("typed-note").textContent = "";
    const response = await fetchInTurn(this.shownFile.snapshot(this.watched)).catch(() => null);
    if (!response?.ok) {
      byId("typed-note").textContent = response ? (await response.text()).trim() : "The studio does not respond.";
      return;
    }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    const [, name] = /filename\*=UTF-8''(\S+)/.exec(response.headers.get("Content-Disposition")) ?? [];
    link.download = decodeURIComponent(name ?? "frame.png");
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  zoom(factor) { this.timeline.zoom(factor); }
  zoomToPart() { this.timeline.zoomToPart(); }
  zoomToAll() { this.timeline.zoomToAll(); }
  askTime() { byId(this.active === "out" ? "time-out" : "time-in").focus(); }
  askLimit() { byId("limit").focus(); }
  isClosed() { return byId("editor").hidden; }

  /** Goes to the next chapter start, or back to the last one before the playhead. */
  goToChapter(step) {
    const starts = this.opening.chapters.map(({ start }) => start);
    const isBehind = (time) => time.compare(this.playhead) * step > 0;
    const place = (step > 0 ? starts : starts.reverse()).find(isBehind);
    if (place) this.send("playhead_did_move", { position: String(place) });
  }

  showKeys() {
    byId("key-list").replaceChildren(...help.flatMap(([keys, meaning]) => {
      const name = document.createElement("dt");
      for (const key of keys.split("  ").filter(Boolean)) {
        const cap = document.createElement("kbd");
        cap.textContent = key;
        name.append(cap, " ");
      }
      const text = document.createElement("dd");
      text.textContent = meaning;
      return [name, text];
    }));
    byId("keys-on").checked = areOn();
    byId("keys-on").onchange = ({ target }) => turn(target.checked);
    byId("keys").showModal();
  }
}

function showDoor(title, text, button, work) {
  for (const main of document.querySelectorAll("main")) main.hidden = main.id !== "door";
  byId("door-title").textContent = title;
  byId("door-text").textContent = text;
  const action = byId("door-button");
  action.hidden = !button;
  action.textContent = button ?? "";
  action.onclick = work ?? null;
}

function showFiles(files) {
  byId("files").hidden = false;
  byId("file-list").replaceChildren(...files.map(({ id, name, glance }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `?file=${id}`;
    link.textContent = name;
    const length = document.createElement("span");
    length.className = "dim";
    length.textContent = glance ? glance.length : "…";
    const verdict = document.createElement("span");
    verdict.className = "verdict";
    if (glance) verdict.dataset.verdict = glance.is_valid ? "valid" : "too_long";
    verdict.textContent = glance ? glance.verdict : "";
    item.append(link, length, verdict);
    return item;
  }));
}

async function watchFiles(files) {
  showFiles(files);
  if (files.some((file) => !file.glance) && !document.hidden)
    setTimeout(async () => watchFiles(await list()), 700);
}

/** Shows the beginning of a file until the whole file has been read, and continues from there. */
async function readAll(file, look) {
  const { Beginning } = await import("./beginning.js");
  const beginning = new Beginning(file, look);
  let seen;
  const opening = await file.opening().finally(() => { seen = beginning.end(); });
  const editor = new Editor(file, opening);
  if (seen.position.compare(zero) > 0)
    editor.send("playhead_did_move", { position: String(seen.position) });
  if (seen.isPlaying) editor.playOrPause();
  return editor;
}

let editor = null;
/** Finds files to open or to add, and folders. */
let folderDialog = null;

async function start() {
  byId("quit").addEventListener("click", async () => {
    const unwritten = (await list().catch(() => [])).filter((file) => file.is_unwritten);
    const names = unwritten.map(({ name }) => name).join(", ");
    const fate = unwritten.every((file) => file.is_kept)
      ? "Your work is kept: it returns when the file is opened again." : "Your selection will be lost.";
    if (names && !confirm(`Quit without exporting ${names}? ${fate}`)) return;
    await quit();
    if (byId("door").hidden) showDoor("The studio has ended.", "You can close this page.");
  });
  byId("show-files").addEventListener("click", () => { location.href = "/"; });
  try {
    const { files, file, opening, look, opens } = await arrival;
    byId("show-files").hidden = files.length < 2;
    byId("open-file").hidden = !opens;
    byId("add-file").hidden = !opens;
    folderDialog = import("./folders.js").then(({ listenToFolders }) => listenToFolders(() => editor?.file));
    if (!file) return watchFiles(files);
    editor = look ? await readAll(file, look) : new Editor(file, opening);
  } catch (error) {
    if (error.status === 422) {
      showDoor("This file cannot be opened.", error.message, "Try again", () => location.reload());
    } else if (error.status === 401) {
      showDoor("This page is locked.", "Open the address that 'trim studio' printed. It "
        + "works in the first browser that opens it; for another browser, start the studio again.");
    } else {
      showDoor("The studio does not respond.", error.message, "Try again", () => location.reload());
    }
  }
}

start();
