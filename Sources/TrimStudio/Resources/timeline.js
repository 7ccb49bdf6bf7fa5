// The timeline: pictures, levels, keyframes, what a cut would encode, and the handles.

import { Time, clock } from "./times.js";
import { newest } from "./player.js";
import { fetchInTurn } from "./wire.js";

const TILES = 8; // pictures per request
const SLOP = 8; // px that a finger may move before it drags: another may follow
const KEPT = 120; // number of requests whose responses are kept

export class Timeline {
  constructor({ track, canvas, range, handles, viewStart, viewEnd }, file, hooks) {
    Object.assign(this, { track, canvas, handles, viewStart, viewEnd, file, hooks });
    this.rangeBox = range;
    this.chunks = new Map();
    this.levels = null;
    this.isLoading = { pictures: false, levels: false };
    this.loadLevels = newest((view) => this.fetchLevels(view));
    // Querying the page for each of thousands of keyframes would take a tenth of a second.
    this.width = track.clientWidth;
    new ResizeObserver(() => {
      this.width = track.clientWidth;
      this.draw();
    }).observe(track);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    track.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.listenToPointers();
  }

  open({ facts, keyframes, frames, chapters, bounds }) {
    Object.assign(this, { facts, frames, bounds, chapters });
    this.chunks = new Map();
    this.levels = null;
    this.isLoading = { pictures: false, levels: false };
    this.keyframes = [];
    for (let i = 0; i < Math.min(keyframes.count, 5000); i++)
      this.keyframes.push(keyframes.place(i));
    this.total = bounds.end.seconds;
    this.view = { start: 0, end: this.total };
  }

  /** Starts requesting pictures, and levels once the first pictures have arrived. */
  load() {
    if (this.isLoading.pictures) return;
    this.isLoading = { pictures: true, levels: !this.facts.shape };
    this.draw();
  }

  /** @param state the handle positions, and what a cut would encode */
  update(state) {
    this.state = state;
    this.draw();
  }

  // Positions

  x(seconds) {
    return (seconds - this.view.start) / (this.view.end - this.view.start) * this.width;
  }
  seconds(x) {
    const place = this.view.start + x / this.width * (this.view.end - this.view.start);
    return Math.min(this.total, Math.max(0, place));
  }

  zoom(factor, around = this.state?.playhead ?? 0) {
    const shortest = Math.min(this.total, this.frames.count ? this.total / this.frames.count * 12 : 0.5);
    const length = Math.min(
      this.total, Math.max(shortest, (this.view.end - this.view.start) * factor));
    const share = (around - this.view.start) / (this.view.end - this.view.start);
    this.look(around - share * length, length);
  }

  look(start, length) {
    start = Math.min(Math.max(0, start), this.total - length);
    this.view = { start, end: start + length };
    this.draw();
  }

  zoomToPart() {
    const { start, end } = this.state;
    const margin = (end - start) * 0.12;
    this.look(start - margin, Math.min(this.total, end - start + 2 * margin));
  }

  zoomToAll() { this.look(0, this.total); }

  /** A playhead that leaves the visible range scrolls it. */
  follow(seconds) {
    if (seconds >= this.view.start && seconds <= this.view.end) return;
    this.look(seconds - (this.view.end - this.view.start) * 0.1, this.view.end - this.view.start);
  }

  wheel(event) {
    event.preventDefault();
    const x = event.clientX - this.track.getBoundingClientRect().left;
    if (event.ctrlKey || Math.abs(event.deltaY) > Math.abs(event.deltaX) && !event.shiftKey) {
      this.zoom(1.0015 ** event.deltaY, this.seconds(x));
    } else {
      const length = this.view.end - this.view.start;
      const by = (event.deltaX || event.deltaY) / this.width * length;
      this.look(this.view.start + by, length);
    }
  }

  // Touch and mouse

  listenToPointers() {
    const fingers = new Map();
    let pinch = null;
    const x = (event) => event.clientX - this.track.getBoundingClientRect().left - this.track.clientLeft;
    this.track.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      fingers.set(event.pointerId, x(event));
      if (fingers.size === 2) {
        if (this.held) this.hooks.onPinch(this.held);
        this.held = this.tapped = null;
        pinch = { at: [...fingers.values()], view: { ...this.view } };
        return;
      }
      const handle = event.target.closest(".handle");
      this.held = handle ? handle.dataset.handle : this.nearest(x(event));
      this.track.setPointerCapture(event.pointerId);
      this.handles[this.held].focus({ preventScroll: true });
      this.grip = handle ? x(event) - this.x(this.place(this.held)) : 0;
      this.hooks.onGrab(this.held);
      // The first finger of a pinch must not move it.
      this.tapped = !handle && this.held === "playhead" ? x(event) : null;
      this.began = event.pointerType === "touch" ? x(event) : null;
      if (event.pointerType !== "touch") this.point();
      event.preventDefault();
    });
    this.track.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, x(event));
      if (pinch && fingers.size === 2) return this.pinch(pinch, [...fingers.values()]);
      if (this.began !== null && Math.abs(x(event) - this.began) < SLOP) return;
      this.began = null;
      this.point();
      if (this.held) this.hooks.onDrag(this.held, this.seconds(x(event) - this.grip));
    });
    const release = (event) => {
      fingers.delete(event.pointerId);
      if (fingers.size < 2) pinch = null;
      if (!this.held) return;
      this.point();
      this.hooks.onRelease(this.held);
      this.held = null;
    };
    this.track.addEventListener("pointerup", release);
    this.track.addEventListener("pointercancel", release);
  }

  /** The playhead goes to where the pointer went down. */
  point() {
    if (this.tapped === null) return;
    this.hooks.onPoint(this.seconds(this.tapped));
    this.tapped = null;
  }

  pinch({ at, view }, now) {
    const length = view.end - view.start;
    const factor = Math.abs(at[0] - at[1]) / Math.max(20, Math.abs(now[0] - now[1]));
    const middle = view.start + (at[0] + at[1]) / 2 / this.width * length;
    const wanted = Math.min(this.total, length * factor);
    this.look(middle - (now[0] + now[1]) / 2 / this.width * wanted, wanted);
  }

  place(handle) {
    return { in: this.state.start, out: this.state.end, playhead: this.state.playhead }[handle];
  }

  /** A handle within reach, or else the playhead, which moves to the pointer. */
  nearest(x) {
    for (const handle of ["in", "out"])
      if (Math.abs(this.x(this.place(handle)) - x) < 10) return handle;
    return "playhead";
  }

  // Drawing

  draw() {
    if (!this.state || !this.width || this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      this.paint();
    });
  }

  paint() {
    const { canvas, width } = this;
    const height = canvas.clientHeight, scale = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const colors = getComputedStyle(this.track);
    const color = (name) => colors.getPropertyValue(name).trim();
    const hasPictures = Boolean(this.facts.shape);
    const band = hasPictures ? Math.round(height * (this.facts.has_sound ? 0.58 : 0.86)) : 0;
    if (hasPictures) this.paintStrip(context, band);
    else this.paintKept(context, height, color("--good-ground"));
    if (this.facts.has_sound) this.paintLevels(context, band, height - band - 10, color("--wave"));
    this.paintGround(context, height, color);
    this.paintRemoved(context, height, color);
    this.paintChapters(context, height, color);
    this.paintParts(context, height, color);
    this.paintFindings(context, height, color);
    this.paintMarkers(context, height, color);
    this.placeHandles();
    this.viewStart.textContent = clock(this.view.start);
    this.viewEnd.textContent = clock(this.view.end);
  }

  /** Along the bottom: keyframes, and what would be re-encoded. */
  paintGround(context, height, color) {
    context.fillStyle = color("--copied");
    const { parts, encoded } = this.state;
    for (const { start, end } of parts)
      context.fillRect(this.x(start), height - 5, this.x(end) - this.x(start), 5);
    context.fillStyle = color("--encoded");
    for (const part of encoded) {
      const left = this.x(part.start);
      context.fillRect(left, height - 5, Math.max(3, this.x(part.end) - left), 5);
    }
    const perPixel = (this.view.end - this.view.start) / this.width;
    context.fillStyle = color("--key");
    let last = -9;
    for (const key of this.keyframes) {
      const x = Math.round(this.x(key));
      if (x < 0 || x > this.width || x - last < 4) continue;
      last = x;
      context.fillRect(x, height - 10, 1, 4);
    }
    if (this.frames.count && perPixel * 16 < this.total / this.frames.count)
      this.paintFrames(context, height, color("--key"));
  }

  /** What is in no part: dimmed, and hatched, which does not rely on color. */
  paintRemoved(context, height, color) {
    let from = 0;
    const ranges = [...this.state.parts].sort((a, b) => a.start - b.start);
    for (const { start, end } of [...ranges, { start: this.total, end: this.total }]) {
      if (start > from) this.hatch(context, this.x(from), this.x(start), height, color);
      from = Math.max(from, end);
    }
  }

  hatch(context, left, right, height, color) {
    [left, right] = [Math.max(0, left), Math.min(this.width, right)];
    if (right <= left) return;
    context.save();
    context.beginPath();
    context.rect(left, 0, right - left, height);
    context.clip();
    context.globalAlpha = 0.72;
    context.fillStyle = color("--ground");
    context.fillRect(left, 0, right - left, height);
    context.globalAlpha = 0.5;
    context.strokeStyle = color("--removed");
    context.lineWidth = 1;
    context.beginPath();
    // The pattern stays with the video when the view moves.
    for (let x = left - height - (left - this.x(0)) % 12; x < right; x += 12) {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
    context.stroke();
    context.restore();
  }

  /** The outline, number and name of each part, if there are several. */
  paintParts(context, height, color) {
    const { parts, count } = this.state;
    if (count < 2) return;
    context.font = "600 12px system-ui, sans-serif";
    context.textBaseline = "top";
    parts.forEach(({ start, end, name, number, isSelected }) => {
      const [left, right] = [Math.max(0, this.x(start)), Math.min(this.width, this.x(end))];
      if (right <= left) return;
      context.fillStyle = color(isSelected ? "--accent" : "--part");
      context.fillRect(left, 0, right - left, 3);
      const shown = fitted(context, name ? `${number} ${name}` : `${number}`, right - left)
        || `${number}`;
      const wide = context.measureText(shown).width + 8;
      if (wide > right - left) return;
      context.fillRect(left, height - 28, wide, 17);
      context.fillStyle = color(isSelected ? "--accent-text" : "--part-text");
      context.fillText(shown, left + 4, height - 26);
    });
  }

  /** Without pictures, the ground of what is kept. */
  paintKept(context, height, ground) {
    context.fillStyle = ground;
    for (const { start, end } of this.state.parts)
      context.fillRect(this.x(start), 0, this.x(end) - this.x(start), height);
  }

  /** A bracket over each finding, in a row for each kind. */
  paintFindings(context, height, color) {
    const { findings } = this.state;
    const rows = { silence: height - 16, black: 36, still: 42, scene: 48, fade: 54 };
    context.fillStyle = color("--found");
    let last = {};
    for (const { kind, start, end } of findings) {
      const [left, right] = [Math.max(-2, this.x(start)), Math.min(this.width + 2, this.x(end))];
      if (right < 0 || left > this.width) continue;
      // Thousands may share a pixel.
      if (right <= (last[kind] ?? -9)) continue;
      last[kind] = right;
      const top = rows[kind];
      context.fillRect(left, top - 3, 2, 9);
      if (kind === "scene") continue;
      context.fillRect(left, top, Math.max(2, right - left - 1), 3);
      context.fillRect(Math.max(left, right - 3), top - 3, 2, 9);
    }
  }

  /** A flag at each marker, with its name if there is room. */
  paintMarkers(context, height, color) {
    const { markers } = this.state;
    context.font = "600 11px system-ui, sans-serif";
    context.textBaseline = "top";
    markers.forEach(({ place, name }, index) => {
      const x = Math.round(this.x(place));
      if (x < -1 || x > this.width) return;
      const next = markers[index + 1] ? this.x(markers[index + 1].place) : this.width;
      const shown = name && fitted(context, name, Math.min(next, this.width) - x - 4);
      const wide = shown ? context.measureText(shown).width + 10 : 9;
      context.fillStyle = color("--marker");
      context.fillRect(x, 0, 2, height - 10);
      context.beginPath();
      context.moveTo(x, 18);
      context.lineTo(x + wide, 18);
      context.lineTo(x + wide + (shown ? 0 : -3), 25);
      context.lineTo(x + wide, 32);
      context.lineTo(x, 32);
      context.fill();
      if (!shown) return;
      context.fillStyle = color("--marker-text");
      context.fillText(shown, x + 5, 19);
    });
  }

  /** A line at the start of each chapter, and its name if there is room. */
  paintChapters(context, height, color) {
    const names = this.chapters.map(({ start, title }) => ({ x: this.x(start.seconds), title }));
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "top";
    names.forEach(({ x, title }, index) => {
      const room = Math.min(this.width, names[index + 1]?.x ?? this.width) - x - 6;
      if (x < -1 && room < 0 || x > this.width) return;
      context.fillStyle = color("--chapter");
      context.fillRect(Math.round(x), 0, 1, height - 10);
      const left = Math.max(0, x);
      const shown = fitted(context, title, Math.min(room, this.width - left));
      if (!shown) return;
      context.globalAlpha = 0.85;
      context.fillRect(left, 0, context.measureText(shown).width + 8, 15);
      context.globalAlpha = 1;
      context.fillStyle = color("--chapter-text");
      context.fillText(shown, left + 4, 2);
    });
  }

  paintFrames(context, height, color) {
    context.fillStyle = color;
    context.globalAlpha = 0.5;
    const first = Math.max(0, this.frames.at(Time.near(this.view.start)));
    for (let i = first; i < this.frames.count; i++) {
      const x = this.x(this.frames.place(i));
      if (x > this.width) break;
      context.fillRect(Math.round(x), 0, 1, height - 10);
    }
    context.globalAlpha = 1;
  }

  placeHandles() {
    const { start, end, playhead } = this.state;
    const [left, right] = [this.x(start), this.x(end)];
    this.rangeBox.style.left = `${left}px`;
    this.rangeBox.style.width = `${Math.max(0, right - left)}px`;
    for (const [name, seconds] of Object.entries({ in: start, out: end, playhead })) {
      const x = this.x(seconds);
      const handle = this.handles[name];
      handle.style.left = `${x}px`;
      handle.hidden = x < -1 || x > this.width + 1;
    }
  }

  // Pictures

  paintStrip(context, height) {
    const shape = new Time(this.facts.shape).seconds;
    const ideal = height * Math.max(0.5, shape) / this.width * (this.view.end - this.view.start);
    const level = Math.round(Math.log2(ideal));
    const span = 2 ** level;
    const first = Math.floor(this.view.start / span / TILES);
    const last = Math.floor(Math.min(this.view.end, this.total - 1e-6) / span / TILES);
    for (let number = first; number <= last; number++) {
      const chunk = this.chunk(level, number);
      const coarse = chunk.image ? null : this.coarser(level, number);
      this.paintChunk(context, chunk.image ? chunk : coarse, height);
    }
  }

  paintChunk(context, chunk, height) {
    if (!chunk) return;
    const { image, span, number, count } = chunk;
    const tile = image.width / count;
    for (let i = 0; i < count; i++) {
      const start = (number * TILES + i) * span;
      const [left, right] = [this.x(start), this.x(start + span)];
      if (right < 0 || left > this.width) continue;
      const scale = Math.max((right - left) / tile, height / image.height);
      const [wide, high] = [(right - left) / scale, height / scale];
      context.drawImage(
        image, i * tile + (tile - wide) / 2, (image.height - high) / 2, wide, high, left, 0,
        right - left - 1, height);
    }
  }

  /** A placeholder until the right picture has arrived. */
  coarser(level, number) {
    const start = number * TILES * 2 ** level;
    for (let up = 1; up < 8; up++) {
      const span = 2 ** (level + up);
      const found = this.chunks.get(`${level + up}:${Math.floor(start / span / TILES)}`);
      if (found?.image) return found;
    }
    return null;
  }

  chunk(level, number) {
    const name = `${level}:${number}`;
    const known = this.chunks.get(name);
    if (known) {
      this.chunks.delete(name);
      this.chunks.set(name, known);
      return known;
    }
    const span = 2 ** level;
    const count = Math.max(1, Math.min(
      TILES, Math.ceil((this.total - number * TILES * span) / span - 1e-9)));
    const chunk = { image: null, span, number, count };
    if (!this.isLoading.pictures) return chunk;
    this.chunks.set(name, chunk);
    if (this.chunks.size > KEPT) this.chunks.delete(this.chunks.keys().next().value);
    // Powers of two of a second, which are also exact as fractions.
    const exact = level < 0 ? Time.of(1n, 2n ** BigInt(-level)) : Time.of(2n ** BigInt(level), 1n);
    const image = new Image();
    image.src = this.file.strip(
      exact.times(number * TILES), exact.times(number * TILES + count), count, 96);
    image.decode().then(() => { chunk.image = image; }).catch(() => {}).finally(() => {
      this.isLoading.levels = true;
      this.draw();
    });
    return chunk;
  }

  // Levels

  paintLevels(context, top, height, color) {
    if (this.isLoading.levels) this.loadLevels({ ...this.view, width: Math.round(this.width) });
    if (!this.levels) {
      if (this.facts.shape) return;
      context.fillStyle = color;
      context.font = "15px system-ui, sans-serif";
      context.textAlign = "center";
      context.fillText("Reading the sound…", this.width / 2, top + height / 2);
      context.textAlign = "start";
      return;
    }
    const { values, start, end } = this.levels;
    const step = (end - start) / values.length;
    context.fillStyle = color;
    const middle = top + height / 2;
    for (let x = 0; x < this.width; x++) {
      const index = Math.floor((this.seconds(x + 0.5) - start) / step);
      if (index < 0 || index >= values.length) continue;
      // Quiet audio should still be visible.
      const size = Math.max(1, Math.sqrt(values[index] / 255) * (height - 2));
      context.fillRect(x, middle - size / 2, 1, size);
    }
  }

  /** Those of another audio track are wanted. */
  forgetLevels() {
    this.levels = null;
    this.draw();
  }

  async fetchLevels(view) {
    const { levels } = this;
    if (levels && levels.start === view.start && levels.end === view.end
      && levels.values.length === view.width) return;
    const track = this.file.sounding;
    try {
      const response = await fetchInTurn(this.file.levels(
        Time.near(view.start), Time.near(view.end), Math.min(4000, Math.max(1, view.width))));
      if (!response.ok || track !== this.file.sounding) return;
      this.levels = { ...view, values: new Uint8Array(await response.arrayBuffer()) };
      this.track.dataset.levels = track;
      this.draw();
    } catch { /* A lost connection is reported elsewhere. */ }
  }
}

/** As much of a name as fits; empty if that is too short to read. */
function fitted(context, text, width) {
  if (context.measureText(text).width + 8 <= width) return text;
  for (let length = text.length - 1; length > 3; length--) {
    const part = `${text.slice(0, length).trimEnd()}…`;
    if (context.measureText(part).width + 8 <= width) return part;
  }
  return "";
}
