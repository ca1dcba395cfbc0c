import { currentWidths } from "@grove/terminal/widths";
import { FitAddon } from "@xterm/addon-fit";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import "./terminal.css";
import { linkTarget } from "./linkTarget";
import { currentColours } from "./terminalTheme";

/** The font size while typing. For a viewer, the font is scaled to fit the program's size. */
export const FONT_PX = 13;
const FONTS = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
const SCROLLBACK_LINES = 5_000;

export interface Size {
  columns: number;
  rows: number;
}

/** The initial size of every session, used until the stream reports the current one. */
export const INITIAL_SIZE: Size = { columns: 120, rows: 40 };

interface XtermOptions {
  size: Size;
  screenReader: boolean;
  /** The user clicked a link. Its URL is http or https. */
  onLink: (url: string) => void;
  /** The pointer has moved onto a link, or left it. */
  onHover: (isOverLink: boolean) => void;
}

/** Creates a read-only xterm.js terminal, and the addon that measures the size that fits its element. */
export function createXterm({ size, screenReader, onLink, onHover }: XtermOptions) {
  const activateLink = (event: MouseEvent, url: string) => {
    const href = linkTarget(event, url);
    if (href) onLink(href);
  };
  const hover = { hover: () => onHover(true), leave: () => onHover(false) };
  const terminal = new Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: SCROLLBACK_LINES,
    fontFamily: FONTS,
    fontSize: FONT_PX,
    theme: currentColours(),
    minimumContrastRatio: 4.5,
    // xterm.js's own glyphs break box drawings of some programs.
    customGlyphs: false,
    disableStdin: true,
    cursorInactiveStyle: "outline",
    screenReaderMode: screenReader,
    linkHandler: { activate: activateLink, ...hover },
    // In xterm.js, character widths are a proposed API.
    allowProposedApi: true,
    logLevel: "off",
  });
  // Uses the character widths of the device, which tracks the screen for the program.
  terminal.unicode.register(currentWidths);
  terminal.unicode.activeVersion = currentWidths.version;
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(new WebLinksAddon(activateLink, hover));
  return { terminal, fit };
}
