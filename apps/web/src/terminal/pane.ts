import { currentWidths } from "@grove/terminal/widths";
import { FitAddon } from "@xterm/addon-fit";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { stampStyles } from "../ui/stampStyles";
import { answerNothing, isFocusReport } from "./answers";
import { linkOf } from "./links";
import { currentColours, onThemeChange } from "./theme";
import { titleOf } from "./titles";

/** The size of letters while a person types. A viewer sees them as large as the whole screen allows. */
const FONT_PX = 13;
const SMALLEST_PX = 8;
const SCROLLBACK = 5_000;
/** Characters that are drawn in one go. Much output takes many, so that frames and keys come between them. */
const PIECE = 4_096;
/** Characters with which a terminal opens. They are drawn in larger pieces, since a picture for each takes longer. */
const OPENING = 256 * 1_024;
/** CAN ends any control sequence. */
const CANCEL = "\x18";
const FONTS = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';

export interface Size {
  columns: number;
  rows: number;
}

interface PaneOptions {
  size: Size;
  /** A person has typed. */
  onType: (text: string) => void;
  /** A person wants to follow a link, whose address is http or https. */
  onLink: (address: string) => void;
  /** The program has named its window. */
  onTitle: (title: string) => void;
  /** A person leaves the terminal with F6. */
  onLeave: () => void;
  screenReader: boolean;
}

/** A terminal on the page: it shows what a program prints, and passes on what a person types. */
export class Pane {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #host: HTMLElement;
  readonly #end: () => void;
  #typing = false;
  /** How many characters of the opening are missing. */
  #opening = OPENING;

  constructor(host: HTMLElement, { size, onType, onLink, onTitle, onLeave, screenReader }: PaneOptions) {
    const open = (event: MouseEvent, address: string) => {
      const href = linkOf(event, address);
      if (href) onLink(href);
    };
    const terminal = new Terminal({
      cols: size.columns,
      rows: size.rows,
      scrollback: SCROLLBACK,
      fontFamily: FONTS,
      fontSize: FONT_PX,
      theme: currentColours(),
      minimumContrastRatio: 4.5,
      // Its own glyphs break drawings of some programs.
      customGlyphs: false,
      disableStdin: true,
      cursorInactiveStyle: "outline",
      screenReaderMode: screenReader,
      linkHandler: { activate: open },
      // xterm.js counts the widths of characters as a proposed API.
      allowProposedApi: true,
      logLevel: "off",
    });
    answerNothing(terminal.parser);
    // As wide as on the device, whose screen answers the program.
    terminal.unicode.register(currentWidths);
    terminal.unicode.activeVersion = currentWidths.version;
    terminal.loadAddon(this.#fit);
    terminal.loadAddon(new WebLinksAddon(open));
    terminal.onTitleChange((title) => onTitle(titleOf(title)));
    terminal.onData((text) => {
      if (this.#typing && !isFocusReport(text)) onType(text);
    });
    terminal.attachCustomKeyEventHandler((event) => {
      if (event.key === "F6") {
        if (event.type === "keydown") onLeave();
        return false;
      }
      // A line break for agents that send with Enter.
      if (event.key === "Enter" && event.shiftKey) {
        if (event.type === "keydown" && this.#typing) onType("\x1b\r");
        return false;
      }
      return this.#typing;
    });
    stampStyles();
    terminal.open(host);
    this.#terminal = terminal;
    this.#host = host;
    this.#end = onThemeChange(() => {
      terminal.options.theme = currentColours();
    });
  }

  /** Resolves when the output has been drawn. */
  write(output: string): Promise<void> {
    const piece = this.#opening > 0 ? OPENING : PIECE;
    this.#opening -= output.length;
    let at = 0;
    for (; at + piece < output.length; at += piece) this.#terminal.write(output.slice(at, at + piece));
    return new Promise((resolve) => this.#terminal.write(output.slice(at), resolve));
  }

  /** Gives up a control sequence whose end is missing. */
  forgetSequence(): void {
    this.#terminal.write(CANCEL);
  }

  resize({ columns, rows }: Size): void {
    if (columns !== this.#terminal.cols || rows !== this.#terminal.rows) this.#terminal.resize(columns, rows);
    if (!this.#typing) this.scale();
  }

  /** Passes typing on, or only shows. */
  setTyping(typing: boolean): void {
    this.#typing = typing;
    this.#terminal.options.disableStdin = !typing;
    this.#terminal.options.cursorBlink = typing && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (typing) {
      this.#opening = 0;
      this.#terminal.options.fontSize = FONT_PX;
      this.#terminal.focus();
    } else {
      this.#terminal.blur();
      this.scale();
    }
  }

  /** The size that fills the page; undefined while the terminal is not visible. */
  fitting(): Size | undefined {
    if (this.#host.clientWidth === 0 || this.#host.clientHeight === 0) return undefined;
    const fitting = this.#fit.proposeDimensions();
    if (!fitting || !Number.isFinite(fitting.cols) || !Number.isFinite(fitting.rows)) return undefined;
    return { columns: Math.max(20, fitting.cols), rows: Math.max(5, fitting.rows) };
  }

  /** Makes the letters as large as the whole screen allows. */
  scale(): void {
    const screen = this.#host.querySelector<HTMLElement>(".xterm-screen");
    if (!screen || screen.offsetWidth === 0 || this.#host.clientWidth === 0) return;
    const now = this.#terminal.options.fontSize ?? FONT_PX;
    const room = Math.min(
      this.#host.clientWidth / screen.offsetWidth,
      this.#host.clientHeight / screen.offsetHeight,
    );
    const best = Math.max(SMALLEST_PX, Math.min(FONT_PX, Math.floor(now * room * 4) / 4));
    if (best !== now) this.#terminal.options.fontSize = best;
  }

  /** Pastes a text that is not to be sent: a program that would take each line as sent gets them as one. */
  quote(text: string): void {
    this.paste(this.#terminal.modes.bracketedPasteMode ? text : text.replaceAll(/\s*\n\s*/g, " "));
  }

  /** Types a text as if it were pasted. */
  paste(text: string): void {
    this.#terminal.paste(text);
    this.#terminal.focus();
  }

  focus(): void {
    this.#terminal.focus();
  }

  setScreenReader(on: boolean): void {
    this.#terminal.options.screenReaderMode = on;
  }

  close(): void {
    this.#end();
    this.#terminal.dispose();
  }
}
