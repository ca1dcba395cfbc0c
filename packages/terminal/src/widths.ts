import type { IUnicodeVersionProvider } from "@xterm/headless";
import { eastAsianWidth } from "get-east-asian-width";

const JOINER = 0x200d;
const EMOJI_STYLE = 0xfe0f;
/** The state of a cluster of characters, which xterm.js hands back with the next character. */
const AFTER_JOINER = 1;
const HALF_FLAG = 2;
const PICTOGRAPH = 4;
const EMOJI = 8;

type Width = 0 | 1 | 2;

/**
 * How many cells characters take, as current programs count them: emoji, flags, joined emoji and those with a style or
 * a skin take two, combining marks none. The device and the console must agree, or what a program draws shifts.
 */
export const currentWidths: IUnicodeVersionProvider = {
  version: "current",
  wcwidth,
  charProperties(code, preceding) {
    const width = wcwidth(code);
    if (preceding === 0) return packed(stateOf(code), width, false);
    const before = preceding >> 3;
    const widthBefore = ((preceding >> 1) & 3) as Width;
    if (code === EMOJI_STYLE && before & EMOJI) return packed(before, 2, true);
    if (code === JOINER) return packed(before | AFTER_JOINER, widthBefore, true);
    if (width === 0) return packed(before, widthBefore, true);
    const state = stateOf(code);
    if (before & HALF_FLAG && state & HALF_FLAG) return packed(0, 2, true);
    const isSkin = code >= 0x1f3fb && code <= 0x1f3ff && (before & PICTOGRAPH) !== 0;
    const isJoined = (before & (AFTER_JOINER | PICTOGRAPH)) === (AFTER_JOINER | PICTOGRAPH);
    if (isSkin || (isJoined && state & PICTOGRAPH)) return packed(PICTOGRAPH, 2, true);
    return packed(state, width, false);
  },
};

/** The form that xterm.js expects: state, width, and whether the character joins the one before. */
const packed = (state: number, width: Width, joins: boolean) => (state << 3) | (width << 1) | Number(joins);

function wcwidth(code: number): Width {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0;
  if (code < 0x300) return 1;
  // Vowels and finals of Hangul that is written in parts.
  if (code >= 0x1160 && code <= 0x11ff) return 0;
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(String.fromCodePoint(code))) return 0;
  return eastAsianWidth(code);
}

function stateOf(code: number): number {
  if (code >= 0x1f1e6 && code <= 0x1f1ff) return HALF_FLAG;
  // Most text is ASCII, of which only the keys of a telephone can be emoji.
  if (code < 0x80) return /^[0-9#*]$/.test(String.fromCodePoint(code)) ? EMOJI : 0;
  const character = String.fromCodePoint(code);
  const isPictograph = /^\p{Extended_Pictographic}$/u.test(character);
  return (isPictograph ? PICTOGRAPH : 0) | (isPictograph || /^\p{Emoji}$/u.test(character) ? EMOJI : 0);
}
