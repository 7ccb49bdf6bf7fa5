// The data for this page, requested while the rest of the page is still loading.

import { isPlayed } from "./deck.js";
import { arrive, enter, File } from "./wire.js";

async function begin() {
  const asked = new URLSearchParams(location.search).get("file");
  const { files, file: id, opening, look, opens_files: opens } = await enter() ?? await arrive(asked);
  const file = id === undefined ? null : new File(id);
  if (look) import("./beginning.js");
  if (opening) await load(file, opening);
  else if (look) await load(file.beginning, look);
  return { files, opening, look, file, opens };
}

/** The browser's player takes longest to start: it is created before the rest of the page is built. */
async function load(shown, opening) {
  const video = document.getElementById("video");
  if (!isPlayed(video, opening)) return void import("./stream.js");
  const isBegun = new Promise((resolve) => { video.addEventListener("loadstart", resolve, { once: true }); });
  video.src = shown.media;
  await isBegun;
}

/** The files, and what is known so far about the one shown; with several, one has to be chosen. */
export const arrival = begin();
// Callers that await it handle a failure.
arrival.catch(() => {});
