import type { FitAddon } from "@xterm/addon-fit";
import type { Terminal } from "@xterm/xterm";
import { FONT_PX, type Size } from "./createXterm";

const MIN_COLUMNS = 20;
const MIN_ROWS = 5;

/** Returns the size at which a terminal fills its element; undefined while the element is not visible. */
export function fittingSize(host: HTMLElement, fit: FitAddon): Size | undefined {
  if (host.clientWidth === 0 || host.clientHeight === 0) return undefined;
  const { cols = Number.NaN, rows = Number.NaN } = fit.proposeDimensions() ?? {};
  if (!Number.isFinite(cols) || !Number.isFinite(rows)) return undefined;
  return { columns: Math.max(MIN_COLUMNS, cols), rows: Math.max(MIN_ROWS, rows) };
}

/** Scales the font so that the whole screen fits into the element, but not below `minFontPx`. */
export function scaleFont(host: HTMLElement, { options }: Terminal, minFontPx: number): void {
  const screen = host.querySelector<HTMLElement>(".xterm-screen");
  if (!screen || screen.offsetWidth === 0 || host.clientWidth === 0) return;
  const fontSize = options.fontSize ?? FONT_PX;
  const ratio = Math.min(host.clientWidth / screen.offsetWidth, host.clientHeight / screen.offsetHeight);
  const best = Math.max(minFontPx, Math.min(FONT_PX, Math.floor(fontSize * ratio * 4) / 4));
  if (best !== fontSize) options.fontSize = best;
}
