import { currentWidths } from "@grove/terminal/widths";
import { FitAddon } from "@xterm/addon-fit";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { isComposing } from "../ui/inputMethod";
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
const LINE_BREAK = "\x1b\r";
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
  /** A program offers a text for the clipboard, while a person types. */
  onCopy: (text: string) => void;
  /** A person leaves the terminal with F6, or with Escape once it takes no text. */
  onLeave: () => void;
  /** A person presses Escape. Returns whether that has closed something, and so is not for the program. */
  onEscape: () => boolean;
  screenReader: boolean;
}

/** A terminal on the page: it shows what a program prints, and passes on what a person types. */
export class Pane {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #host: HTMLElement;
  readonly #end: () => void;
  #typing = false;
  /** Whether it has the keyboard although nothing is typed into the program. */
  #keeps = false;
  /** Whether an input method has ended, and its text is still on its way. */
  #isComposed = false;
  /** How many characters of the opening are missing. */
  #opening = OPENING;

  constructor(host: HTMLElement, options: PaneOptions) {
    const { size, onType, onLink, onTitle, onCopy, screenReader } = options;
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
    answerNothing(terminal.parser, (text) => {
      if (this.#typing) onCopy(text);
    });
    // As wide as on the device, whose screen answers the program.
    terminal.unicode.register(currentWidths);
    terminal.unicode.activeVersion = currentWidths.version;
    terminal.loadAddon(this.#fit);
    terminal.loadAddon(new WebLinksAddon(open));
    terminal.onTitleChange((title) => onTitle(titleOf(title)));
    terminal.onData((text) => {
      if (this.#typing && !isFocusReport(text)) onType(text);
    });
    terminal.attachCustomKeyEventHandler((event) => this.#onKey(event, options));
    stampStyles();
    terminal.open(host);
    // The terminal listens to the same event, and types the text in its next task.
    terminal.textarea?.addEventListener("compositionend", () => {
      this.#isComposed = true;
      setTimeout(() => {
        this.#isComposed = false;
      });
    });
    this.#terminal = terminal;
    this.#host = host;
    this.#end = onThemeChange(() => {
      terminal.options.theme = currentColours();
    });
  }

  /** @returns whether the terminal handles the key */
  #onKey(event: KeyboardEvent, { onType, onLeave, onEscape }: PaneOptions): boolean {
    // The terminal follows input methods by the key code 229. Any other key of theirs is not for the program.
    if (isComposing(event)) return this.#typing && event.keyCode === 229;
    const isDown = event.type === "keydown";
    if (event.key === "F6" || (event.key === "Escape" && this.#keeps)) {
      if (isDown) {
        event.preventDefault();
        onLeave();
      }
      return false;
    }
    if (event.key === "Escape" && isDown && onEscape()) {
      event.preventDefault();
      return false;
    }
    // A line break for agents that send with Enter.
    if (event.key === "Enter" && event.shiftKey) {
      if (isDown && this.#typing) {
        event.preventDefault();
        if (this.#isComposed) setTimeout(() => onType(LINE_BREAK));
        else onType(LINE_BREAK);
      }
      return false;
    }
    return this.#typing;
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

  /**
   * Passes typing on, or only shows.
   * @param keeps whether a terminal that only shows has the keyboard on, so that it goes nowhere else
   */
  setTyping(typing: boolean, keeps = false): void {
    this.#typing = typing;
    this.#keeps = keeps;
    this.#terminal.options.disableStdin = !typing;
    this.#terminal.options.cursorBlink = typing && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (typing) {
      this.#opening = 0;
      this.#terminal.options.fontSize = FONT_PX;
      this.#terminal.focus();
    } else {
      if (!keeps) this.#terminal.blur();
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
