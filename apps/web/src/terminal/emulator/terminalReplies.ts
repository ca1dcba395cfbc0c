import type { IParser } from "@xterm/xterm";

/** Sequences that request a reply from the terminal, by parser function. */
const csi = [
  { final: "c" }, // DA1
  { prefix: ">", final: "c" }, // DA2
  { prefix: "=", final: "c" }, // DA3
  { final: "n" }, // DSR, cursor position
  { prefix: "?", final: "n" },
  { intermediates: "$", final: "p" }, // DECRQM
  { prefix: "?", intermediates: "$", final: "p" },
  { prefix: ">", final: "q" }, // XTVERSION
  { prefix: "?", final: "u" }, // the kitty keyboard protocol
  { final: "t" }, // window size, title and position
  { intermediates: "*", final: "y" }, // DECRQCRA
  { final: "x" }, // DECREQTPARM
];
const dcs = [
  { intermediates: "$", final: "q" }, // DECRQSS
  { intermediates: "+", final: "q" }, // XTGETTCAP
];
/** OSC numbers of colours: palette, text, background and cursor. A query has `?` instead of a colour. */
const COLOURS = [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
/** OSC 52: a program sets the clipboard. */
const CLIPBOARD = 52;
/** The maximum length of a clipboard text, in base64 characters. */
const MAX_BASE64 = 140_000;

/**
 * Suppresses the terminal's replies to queries. The device has already replied, and each viewer's reply would be
 * typed into the program. Also keeps programs from setting the clipboard.
 * @param onCopy called with the text that a program wants to copy
 */
export function suppressReplies(parser: IParser, onCopy?: (text: string) => void): void {
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
 * Decodes the text of an OSC 52 sequence.
 * @param data `c;` and the UTF-8 text in base64
 * @returns undefined for a query, and for an empty, too long or invalid text
 */
export function copiedText(data: string): string | undefined {
  const encoded = /^[a-z0-9]*;([A-Za-z0-9+/]+={0,2})$/.exec(data)?.[1];
  if (encoded === undefined || encoded.length > MAX_BASE64) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes) || undefined;
  } catch {
    return undefined;
  }
}

/** Focus reports, which the terminal sends by itself if a program enables them. They are not input. */
export const isFocusReport = (data: string): boolean => data === "\x1b[I" || data === "\x1b[O";
