// Two of the browser's players for one file: while one plays, the other is paused shortly before the
// start of the part, and starts hidden early enough to reach it when the first one ends.

const RUN = 0.25; // s of run-up before the start
const TICK = 0.02; // s; tolerance: seek targets are the middle of a frame
const LATEST = 0.1; // s past the start after which the other player is of no use

const plays = (video, type) => type !== "" && video.canPlayType(type) !== "";

/** Whether a browser decodes the video and the audio of a file. */
export function isDecoded(video, { media_type: picture, sound_types: sounds }) {
  return {
    video: picture === undefined || plays(video, picture), sound: sounds.every((type) => plays(video, type)),
  };
}

/** Whether a browser's player opens a file itself. */
export function isPlayed(video, { facts, media }) {
  const { video: isSeen, sound: isHeard } = isDecoded(video, facts);
  // Browsers that play Matroska do not report it.
  return (media === "video/x-matroska" || plays(video, media)) && isSeen && isHeard;
}

export class Deck {
  /** @param onFrame receives the media time of each frame that is shown */
  constructor(videos, onFrame) {
    [this.front, this.spare] = videos;
    this.onFrame = onFrame;
    this.rate = 1;
    this.delay = 0.06; // s from telling a player to play until it does
    for (const video of videos) this.watch(video);
    this.show();
  }

  watch(video) {
    if (!video.requestVideoFrameCallback) return;
    video.requestVideoFrameCallback((now, { mediaTime }) => {
      if (this.isEnded) return;
      this.watch(video);
      // Right after another source was set, it is still a frame of the one before. (While a player seeks, it is in
      // HAVE_METADATA, and its frames count.)
      if (video === this.front && video.readyState === HTMLMediaElement.HAVE_NOTHING) return;
      if (video === this.front) this.onFrame(mediaTime);
      else this.learn(now, mediaTime);
    });
  }

  show() {
    this.front.dataset.front = "";
    delete this.spare.dataset.front;
    this.spare.muted = true;
    this.front.muted = this.isMuted ?? false;
  }

  /** @param attach sets a player's source, and returns a function that detaches it */
  open(attach, { onReady, onFailure }) {
    this.stop();
    this.spare.removeAttribute("src");
    this.show();
    this.attach = attach;
    this.opened = new AbortController();
    const once = { once: true, signal: this.opened.signal };
    this.front.addEventListener("error", onFailure, once);
    this.front.addEventListener("loadeddata", onReady, once);
    this.fill(this.front);
  }

  /** @param address of a file, which the page may already have started to load */
  openFile(address, { onReady, onFailure }) {
    const isBegun = this.front.getAttribute("src") === address;
    this.open((video) => { if (video !== this.front || !isBegun) video.src = address; }, { onReady, onFailure });
    if (!isBegun) return;
    const { signal } = this.opened;
    // As late as an event would be: whoever opens a file has not finished yet.
    queueMicrotask(() => {
      if (signal.aborted) return;
      if (this.front.error) return onFailure();
      if (this.front.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
      // Its first frame was not visible: it is shown again.
      this.seek(this.position);
      onReady();
    });
  }

  fill(video) {
    const end = this.attach(video);
    if (end) this.opened.signal.addEventListener("abort", end, { once: true });
  }

  stop() {
    this.opened?.abort();
    this.forget();
    for (const video of [this.front, this.spare]) video.pause();
  }

  close() {
    this.stop();
    for (const video of [this.front, this.spare]) {
      video.removeAttribute("src");
      delete video.dataset.front;
    }
  }

  /** Releases the players for other uses. */
  end() {
    this.isEnded = true;
    this.close();
  }

  get position() { return this.front.currentTime; }
  /** Whether the picture on screen is static. */
  get isStill() { return this.front.paused && !this.front.seeking; }
  get isOver() { return this.front.ended; }
  seek(seconds) { this.front.currentTime = Math.max(0, seconds); }

  play() {
    this.front.playbackRate = this.rate;
    return this.front.play();
  }

  pause() {
    this.front.pause();
    this.spare.pause();
    if (this.rolls) this.forget();
  }

  forget() {
    this.prepared = undefined;
    this.rolls = null;
  }

  /** Seeks the other player to where the loop will restart. */
  prepare(seconds) {
    if (this.prepared === seconds && this.spare.src) return;
    this.forget();
    this.prepared = seconds;
    if (!this.spare.src) this.fill(this.spare);
    this.spare.preload = "auto";
    this.spare.pause();
    this.spare.currentTime = Math.max(0, seconds - RUN);
  }

  get isReady() {
    return this.prepared !== undefined && !this.spare.seeking && this.spare.readyState >= 3;
  }

  /** Starts the other player once the remaining time equals what it needs to reach the start. */
  roll(left) {
    const { spare } = this;
    if (this.rolls || !this.isReady) return;
    if (left > (this.prepared - spare.currentTime) / this.rate + this.delay) return;
    this.rolls = { at: performance.now(), from: spare.currentTime };
    spare.playbackRate = this.rate;
    spare.play().catch(() => this.forget());
  }

  /** How long it took to start, from the first frame that moved. */
  learn(now, mediaTime) {
    const { rolls } = this;
    if (!rolls || rolls.isKnown || mediaTime <= rolls.from) return;
    rolls.isKnown = true;
    const taken = (now - rolls.at) / 1000 - (mediaTime - rolls.from) / this.rate;
    this.delay = Math.min(0.25, Math.max(0, taken));
  }

  /** Continues at an instant: immediately if the other player has reached it. */
  async jump(seconds) {
    const isComing = this.prepared === seconds && this.isReady
      && this.spare.currentTime < seconds + LATEST;
    if (!isComing) {
      this.seek(seconds);
      if (this.front.paused) await this.play();
      return;
    }
    const left = this.front;
    left.pause();
    this.spare.playbackRate = this.rate;
    if (this.spare.paused) await this.spare.play();
    // What precedes the start is not shown.
    while (this.spare.currentTime < seconds - TICK && !this.spare.paused) await nextPicture();
    if (this.front !== left) return;
    [this.front, this.spare] = [this.spare, left];
    this.show();
    this.forget();
    this.prepare(seconds);
  }

  setRate(rate) {
    this.rate = rate;
    this.front.playbackRate = rate;
  }

  setVolume(volume) {
    this.front.volume = this.spare.volume = volume;
    this.setMuted(volume === 0);
  }

  setMuted(isMuted) {
    this.isMuted = isMuted;
    this.front.muted = isMuted;
  }
}

const nextPicture = () => new Promise(requestAnimationFrame);
