// Two of the browser's players for one file: while one plays, the other stands at the beginning of the
// part with its first frame decoded, so that a loop starts again without a wait.

export class Deck {
  /** @param onFrame told the media time of each frame that is seen */
  constructor(videos, onFrame) {
    [this.front, this.spare] = videos;
    this.onFrame = onFrame;
    this.rate = 1;
    for (const video of videos) this.watch(video);
    this.show();
  }

  watch(video) {
    if (!video.requestVideoFrameCallback) return;
    video.requestVideoFrameCallback((_, { mediaTime }) => {
      if (video === this.front) this.onFrame(mediaTime);
      this.watch(video);
    });
  }

  show() {
    this.front.dataset.front = "";
    delete this.spare.dataset.front;
    this.spare.muted = true;
    this.front.muted = this.isMuted ?? false;
  }

  /** @param attach gives a player what it plays, and returns what ends that */
  open(attach, { onReady, onFailure }) {
    this.close();
    this.show();
    this.attach = attach;
    this.opened = new AbortController();
    const once = { once: true, signal: this.opened.signal };
    this.front.addEventListener("error", onFailure, once);
    this.front.addEventListener("loadeddata", onReady, once);
    this.fill(this.front);
  }

  fill(video) {
    const end = this.attach(video);
    if (end) this.opened.signal.addEventListener("abort", end, { once: true });
  }

  close() {
    this.opened?.abort();
    this.prepared = undefined;
    for (const video of [this.front, this.spare]) {
      video.pause();
      video.removeAttribute("src");
      delete video.dataset.front;
    }
  }

  get position() { return this.front.currentTime; }
  get isOver() { return this.front.ended; }
  seek(seconds) { this.front.currentTime = Math.max(0, seconds); }

  play() {
    this.front.playbackRate = this.rate;
    return this.front.play();
  }

  pause() {
    this.front.pause();
    this.spare.pause();
  }

  /** The other player goes where the loop will begin again. */
  prepare(seconds) {
    if (this.prepared === seconds && this.spare.src) return;
    this.prepared = seconds;
    if (!this.spare.src) this.fill(this.spare);
    this.spare.preload = "auto";
    this.spare.currentTime = Math.max(0, seconds);
  }

  /** Goes on at an instant: at once where the other player stands there already. */
  async jump(seconds) {
    const isThere = this.prepared === seconds && !this.spare.seeking && this.spare.readyState >= 3;
    if (!isThere) {
      this.seek(seconds);
      if (this.front.paused) await this.play();
      return;
    }
    const left = this.front;
    [this.front, this.spare] = [this.spare, left];
    this.show();
    this.prepared = undefined;
    await this.play();
    left.pause();
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
