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
/** A program that puts text into the clipboard of the current user. */
const CLIPBOARD = 52;
/** The longest text that a program may offer for the clipboard, in characters of base64. */
const MOST_COPIED = 140_000;

/**
 * Makes a terminal silent: the device has already answered what programs ask, and each viewer's answer would be typed
 * into the program. It also keeps programs away from the clipboard.
 * @param onCopy gets the text that a program offers for the clipboard
 */
export function answerNothing(parser: IParser, onCopy?: (text: string) => void): void {
  const swallow = () => true;
  for (const id of csi) parser.registerCsiHandler(id, swallow);
  for (const id of dcs) parser.registerDcsHandler(id, swallow);
  for (const id of COLOURS) parser.registerOscHandler(id, (data) => data.includes("?"));
  parser.registerOscHandler(CLIPBOARD, (data) => {
    const text = copiedText(data);
    if (text !== undefined) onCopy?.(text);
    return true;
  });
  parser.registerEscHandler({ final: "Z" }, swallow); // DECID
}

/**
 * The text that a program offers for the clipboard.
 * @param data `c;` and the text in base64, in UTF-8
 * @returns undefined for a query, for no text, for a long one, and for anything else
 */
export function copiedText(data: string): string | undefined {
  const encoded = /^[a-z0-9]*;([A-Za-z0-9+/]+={0,2})$/.exec(data)?.[1];
  if (encoded === undefined || encoded.length > MOST_COPIED) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes) || undefined;
  } catch {
    return undefined;
  }
}

/** Reports of the focus, which a program may ask for. Nobody types them. */
export const isFocusReport = (data: string): boolean => data === "\x1b[I" || data === "\x1b[O";
