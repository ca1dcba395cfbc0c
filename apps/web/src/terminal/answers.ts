import type { IParser } from "@xterm/xterm";

/** Sequences that ask the terminal something, by the kind of their parser. */
const csi = [
  { final: "c" }, // DA1
  { prefix: ">", final: "c" }, // DA2
  { prefix: "=", final: "c" }, // DA3
  { final: "n" }, // DSR, cursor position
  { prefix: "?", final: "n" },
  { intermediates: "$", final: "p" }, // DECRQM
  { prefix: "?", intermediates: "$", final: "p" },
  { prefix: ">", final: "q" }, // XTVERSION
  { prefix: "?", final: "u" }, // kitty's keyboard
  { final: "t" }, // the window: its size, title and position
  { intermediates: "*", final: "y" }, // DECRQCRA
  { final: "x" }, // DECREQTPARM
];
const dcs = [
  { intermediates: "$", final: "q" }, // DECRQSS
  { intermediates: "+", final: "q" }, // XTGETTCAP
];
/** Colours: the palette, and those of text, ground and cursor. A query has `?` in the place of a colour. */
const COLOURS = [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
/** A program that puts text into the clipboard of the person who looks. */
const CLIPBOARD = 52;

/**
 * Makes a terminal silent: the device has already answered what programs ask, and each viewer's answer would be typed
 * into the program. It also keeps programs away from the clipboard.
 */
export function answerNothing(parser: IParser): void {
  const swallow = () => true;
  for (const id of csi) parser.registerCsiHandler(id, swallow);
  for (const id of dcs) parser.registerDcsHandler(id, swallow);
  for (const id of COLOURS) parser.registerOscHandler(id, (data) => data.includes("?"));
  parser.registerOscHandler(CLIPBOARD, swallow);
  parser.registerEscHandler({ final: "Z" }, swallow); // DECID
}

/** Reports of the focus, which a program may ask for. Nobody types them. */
export const isFocusReport = (data: string): boolean => data === "\x1b[I" || data === "\x1b[O";
