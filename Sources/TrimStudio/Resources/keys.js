// What keys do: those of the terminal trimmer, and those customary in other editors.

const seconds = (count) => (editor) => editor.nudge({ seconds: String(count) });
const frames = (count) => (editor) => editor.nudge({ frames: count });
const keyframes = (count) => (editor) => editor.nudge({ keyframes: count });

const actions = {
  " ": (editor) => editor.playOrPause(), p: (editor) => editor.playOrPause(),
  k: (editor) => editor.pause(), j: (editor) => editor.changeSpeed(0.5),
  l: (editor) => editor.changeSpeed(2),
  i: (editor) => editor.send("in_point_did_set"), o: (editor) => editor.send("out_point_did_set"),
  ArrowLeft: seconds(-1), ArrowRight: seconds(1),
  "Shift+ArrowLeft": seconds(-10), "Shift+ArrowRight": seconds(10),
  "Alt+ArrowLeft": keyframes(-1), "Alt+ArrowRight": keyframes(1),
  "<": seconds(-10), ">": seconds(10), ",": frames(-1), ".": frames(1),
  b: keyframes(-1), n: keyframes(1),
  "[": (editor) => editor.goTo("start"), "]": (editor) => editor.goTo("end"),
  PageUp: (editor) => editor.goToChapter(-1), PageDown: (editor) => editor.goToChapter(1),
  Home: (editor) => editor.goTo("first"), End: (editor) => editor.goTo("last"),
  u: (editor) => editor.send("undo_did_tap"), U: (editor) => editor.send("redo_did_tap"),
  "Control+z": (editor) => editor.send("undo_did_tap"),
  "Control+Z": (editor) => editor.send("redo_did_tap"),
  "Control+y": (editor) => editor.send("redo_did_tap"),
  g: (editor) => editor.askTime(), M: (editor) => editor.askLimit(),
  s: (editor) => editor.nextSnap(), m: (editor) => editor.mute(),
  "+": (editor) => editor.zoom(0.5), "=": (editor) => editor.zoom(0.5),
  "-": (editor) => editor.zoom(2), z: (editor) => editor.zoomToPart(),
  a: (editor) => editor.send("part_did_add"), "/": (editor) => editor.send("part_did_split"),
  x: (editor) => editor.send("part_did_delete"), X: (editor) => editor.send("range_did_remove"),
  ")": (editor) => editor.selectPart(1), "(": (editor) => editor.selectPart(-1),
  "}": (editor) => editor.send("part_did_move", { count: 1 }),
  "{": (editor) => editor.send("part_did_move", { count: -1 }),
  O: (editor) => editor.addFile(), L: (editor) => editor.listParts(), I: (editor) => editor.showLists(),
  J: (editor) => editor.joinOrSeparate(),
  c: (editor) => editor.send("marker_did_add"), C: (editor) => editor.send("marker_did_delete"),
  d: (editor) => editor.find.toggle(),
  ":": (editor) => editor.find.step(-1), "\"": (editor) => editor.find.step(1),
  ";": (editor) => editor.markers.step(-1), "'": (editor) => editor.markers.step(1),
  f: (editor) => editor.saveFrame(),
  v: (editor) => editor.preview(),
  e: (editor) => editor.export(), Enter: (editor) => editor.export(),
  "?": (editor) => editor.showKeys(), F1: (editor) => editor.showKeys(),
  ...Object.fromEntries([..."0123456789"].map(
    (digit) => [digit, (editor) => editor.goToTenth(Number(digit))])),
};

export const help = [
  ["Space", "play the part, pause"], ["i  o", "set In, Out at the playhead"],
  ["←  →", "1 s; with Shift 10 s, with Alt a keyframe"], [",  .", "one frame"],
  ["[  ]", "playhead to In, Out"], ["u  U", "undo, redo"], ["g", "type a time"],
  ["M", "maximum length"], ["s", "snap: off, frames, keyframes"],
  ["+  −  z", "zoom in, out, to the part"], ["j  k  l", "slower, stop, faster"],
  ["0 … 9", "tenths of the video"], ["Home  End", "start and end of the video"],
  ["Page ↑  Page ↓", "previous, next chapter"], ["m", "sound on, off"],
  ["a  /", "add a part here, split the part here"], ["x  X", "delete the part; remove In to Out"],
  ["(  )  {  }", "previous, next part; move it earlier, later"],
  ["J", "join into one file, or one file per part"], ["L", "list the parts, sort them"],
  ["O", "add a part of another file"],
  ["I", "import or export a list of parts, save the project"],
  ["c  C", "put a marker here, delete it"], [";  '", "previous, next marker"],
  ["d", "find silence, black, still pictures, scenes, fades"], [":  \"", "previous, next finding"],
  ["f", "save this frame as a picture"],
  ["v", "look at the result before it is written"], ["e  Enter", "export"], ["?", "these keys"],
];

const KEPT = "trim-keys"; // whether keys act without Control

export const areOn = () => localStorage.getItem(KEPT) !== "off";
export const turn = (isOn) => localStorage.setItem(KEPT, isOn ? "on" : "off");

const isControl = (element) => element.matches(
  "button:not(.handle), select, summary, a, input[type=checkbox], input[type=range]");

/** A control that was used with the mouse gives the keys back; one reached by Tab keeps them. */
function returnFocus() {
  let isByPointer = false;
  document.addEventListener("pointerdown", () => { isByPointer = true; }, true);
  document.addEventListener("keydown", ({ key }) => { if (key === "Tab") isByPointer = false; }, true);
  const leave = ({ target }) => {
    if (isByPointer && isControl(target)) target.blur();
  };
  document.addEventListener("change", leave);
  document.addEventListener("click", (event) => {
    const control = event.target.closest("button, summary, a, input, select");
    // A list is left when something is chosen, and Space or Enter "clicks" without a pointer.
    if (control && event.detail > 0 && !control.matches("select")) leave({ target: control });
  });
  return () => isByPointer;
}

/** Handles keys outside text fields; a focused handle is the one that moves. */
export function listen(editor) {
  const isByPointer = returnFocus();
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || editor.isClosed()) return;
    let { target } = event;
    // A list that was opened with the mouse and left as it was.
    if (target.matches("select") && isByPointer() && event.key !== "Escape" && !event.key.startsWith("Arrow")) {
      target.blur();
      target = document.body;
    }
    const isField = target.matches("input:not([type=checkbox]):not([type=range]), select, textarea");
    if (isField) return;
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    if (!areOn() && !isModified && event.key.length === 1) return;
    const isButton = target.matches("button:not(.handle), input, a, summary");
    if (isButton && [" ", "Enter"].includes(event.key)) return;
    if (target.matches("input[type=range]") && event.key.startsWith("Arrow")) return;
    const prefix = event.ctrlKey || event.metaKey ? "Control+" : event.altKey ? "Alt+"
      : event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
    const action = actions[prefix + event.key];
    if (!action) return;
    event.preventDefault();
    action(editor);
  });
}
