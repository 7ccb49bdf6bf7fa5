"""Measures A/V sync on the studio's page: when a flash is shown, and when its beep is heard."""

import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from soaking.studio_page import await_player, browser, enter, studio, wait

ABOUT = "trim studio in Chromium: audio within 20 ms of video (needs playwright)"
COUNT = 5
# Milliseconds.
ALLOWED = 20
SECONDS = 12
RATE = 25

SOUND = ["-c:a", "aac", "-b:a", "128k"]
H264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-bf", "2"]
# The browser opens the first two itself; it is sent the packets of the others, with AC-3 re-encoded.
KINDS = {
    "h264.mp4": H264 + SOUND,
    "vp9.webm": ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "50",
                 "-c:a", "libopus"],
    "h264.ts": H264 + SOUND,
    "ac3.mp4": H264 + ["-c:a", "ac3"],
    "mp3.ts": H264 + ["-c:a", "mp3"],
}

# Reports the first sample of each beep, in the time of the audio clock.
EAR = """registerProcessor("ear", class extends AudioWorkletProcessor {
  process([input]) {
    const samples = input[0] ?? [];
    for (let i = 0; i < samples.length; i += 1) {
      if (Math.abs(samples[i]) < 0.2) continue;
      const time = (currentFrame + i) / sampleRate;
      if (!(time - this.last < 0.3)) this.port.postMessage(time);
      this.last = time;
    }
    return true;
  }
});"""

# Records beeps when the video element outputs them and flashes when they are on screen, both in milliseconds
# of the page's clock. The latency of Web Audio is subtracted: only this measurement uses it, not the studio.
WATCH = """async (ear) => {
  const found = { beeps: [], flashes: [] };
  window.found = found;
  const video = document.querySelector("video[data-front]");
  const sound = new AudioContext();
  await sound.resume();
  await sound.audioWorklet.addModule(URL.createObjectURL(new Blob([ear], { type: "text/javascript" })));
  const node = new AudioWorkletNode(sound, "ear");
  const source = sound.createMediaElementSource(video);
  source.connect(node);
  source.connect(sound.destination);
  node.port.onmessage = ({ data }) => {
    const { contextTime, performanceTime } = sound.getOutputTimestamp();
    found.beeps.push(performanceTime + (data - contextTime - sound.outputLatency) * 1000);
  };
  const canvas = new OffscreenCanvas(8, 8);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  let wasBright = false;
  const see = (_, { expectedDisplayTime }) => {
    context.drawImage(video, 0, 0, 8, 8);
    const isBright = context.getImageData(4, 4, 1, 1).data[1] > 128;
    if (isBright && !wasBright) found.flashes.push(expectedDisplayTime);
    wasBright = isBright;
    video.requestVideoFrameCallback(see);
  };
  video.requestVideoFrameCallback(see);
}"""


def make(path, options):
    """Makes a clip with a flash of 0.2 s every second, and a beep that starts with it."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
         f"color=black:s=320x180:r={RATE}:d={SECONDS},format=gray,"
         f"geq=lum='if(lt(mod(N,{RATE}),5),235,16)'", "-f", "lavfi", "-i",
         f"aevalsrc='0.8*sin(2*PI*1000*t)*lt(mod(t,1),0.1)':s=48000:d={SECONDS}",
         "-pix_fmt", "yuv420p", *options, path], check=True)


def offsets(trim, launched, path):
    """Returns how much later than its flash each beep is, in milliseconds."""
    with studio(trim, path) as address:
        page = enter(launched, address, bypass_csp=True)
        await_player(page)
        wait(page, "document.querySelector('video[data-front]').readyState >= 3")
        page.evaluate(WATCH, EAR)
        page.keyboard.press("Space")
        page.wait_for_timeout((SECONDS - 2) * 1000)
        found = page.evaluate("window.found")
        faults = page.faults
        page.close()
    if faults:
        raise RuntimeError(faults[0])
    # The first one falls into the start of playback.
    pairs = [(flash, min(found["beeps"], key=lambda beep: abs(beep - flash)))
             for flash in found["flashes"][1:] if found["beeps"]]
    return [beep - flash for flash, beep in pairs if abs(beep - flash) < 500]


def run(bench):
    wrong = 0
    with browser() as launched:
        for name, options in list(KINDS.items())[:bench.count]:
            path = bench.folder / name
            make(path, options)
            late = offsets(bench.trim, launched, path)
            median = statistics.median(late) if late else None
            is_right = len(late) >= SECONDS // 2 and abs(median) <= ALLOWED
            wrong += not is_right
            print(f"  {name}: {len(late)} beeps, "
                  + (f"median {median:+.1f} ms, {min(late):+.1f} to {max(late):+.1f}"
                     if late else "none within 500 ms of its flash"))
    print(f"{wrong} kinds with audio more than {ALLOWED} ms off")
    return 1 if wrong else 0
