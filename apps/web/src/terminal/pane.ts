import { currentWidths } from "@grove/terminal/widths";
import { FitAddon } from "@xterm/addon-fit";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { isComposing } from "../ui/inputMethod";
import { stampStyles } from "../ui/stampStyles";
import { linkTarget } from "./linkTarget";
import { isFocusReport, suppressReplies } from "./terminalReplies";
import { currentColours, onThemeChange } from "./theme";
import { sanitizeTitle } from "./windowTitle";

/** The font size while typing. For a viewer, the font is scaled to fit the program's size. */
const FONT_PX = 13;
const MIN_FONT_PX = 8;
const SCROLLBACK = 5_000;
/** Characters per write. Long output is split, so that frames and keys are handled in between. */
const CHUNK = 4_096;
/** The first characters of a terminal are written in larger chunks, because a frame per small chunk takes longer. */
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
  onType: (text: string) => void;
  /** The user clicked a link. Its URL is http or https. */
  onLink: (address: string) => void;
  /** The program set the window title. */
  onTitle: (title: string) => void;
  /** A program wants to set the clipboard. Only called while the user is typing. */
  onCopy: (text: string) => void;
  /** The user left the terminal with F6, or with Escape after typing had ended. */
  onLeave: () => void;
  /** The user pressed Escape. Returns whether that closed a prompt, so that the program does not get the key. */
  onEscape: () => boolean;
  screenReader: boolean;
}

/** Wraps xterm.js: renders a program's output, and reports typed text. */
export class Pane {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();
  readonly #host: HTMLElement;
  readonly #end: () => void;
  #typing = false;
  /** Whether it swallows keys after typing has ended. */
  #holdsKeyboard = false;
  /** Whether a composition has ended, but xterm.js has not reported its text yet. */
  #isComposed = false;
  /** How many characters may still be written as part of the opening. */
  #opening = OPENING;

  constructor(host: HTMLElement, options: PaneOptions) {
    const { size, onType, onLink, onTitle, onCopy, screenReader } = options;
    const open = (event: MouseEvent, address: string) => {
      const href = linkTarget(event, address);
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
      // xterm.js's own glyphs break box drawings of some programs.
      customGlyphs: false,
      disableStdin: true,
      cursorInactiveStyle: "outline",
      screenReaderMode: screenReader,
      linkHandler: { activate: open },
      // In xterm.js, character widths are a proposed API.
      allowProposedApi: true,
      logLevel: "off",
    });
    suppressReplies(terminal.parser, (text) => {
      if (this.#typing) onCopy(text);
    });
    // The same character widths as on the device, which tracks the screen for the program.
    terminal.unicode.register(currentWidths);
    terminal.unicode.activeVersion = currentWidths.version;
    terminal.loadAddon(this.#fit);
    terminal.loadAddon(new WebLinksAddon(open));
    terminal.onTitleChange((title) => onTitle(sanitizeTitle(title)));
    terminal.onData((text) => {
      if (this.#typing && !isFocusReport(text)) onType(text);
    });
    terminal.attachCustomKeyEventHandler((event) => this.#onKey(event, options));
    stampStyles();
    terminal.open(host);
    // xterm.js handles the same event, and reports the text in its next task.
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

  /** @returns whether xterm.js should handle the key */
  #onKey(event: KeyboardEvent, { onType, onLeave, onEscape }: PaneOptions): boolean {
    // xterm.js tracks compositions by key code 229. Other keys of an input method are not for the program.
    if (isComposing(event)) return this.#typing && event.keyCode === 229;
    const isDown = event.type === "keydown";
    if (event.key === "F6" || (event.key === "Escape" && this.#holdsKeyboard)) {
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
    // Shift+Enter is a line break for agents that send with Enter.
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

  /** Resolves when the output has been parsed. */
  write(output: string): Promise<void> {
    const chunk = this.#opening > 0 ? OPENING : CHUNK;
    this.#opening -= output.length;
    let at = 0;
    for (; at + chunk < output.length; at += chunk) this.#terminal.write(output.slice(at, at + chunk));
    return new Promise((resolve) => this.#terminal.write(output.slice(at), resolve));
  }

  /** Cancels an incomplete control sequence. */
  forgetSequence(): void {
    this.#terminal.write(CANCEL);
  }

  resize({ columns, rows }: Size): void {
    if (columns !== this.#terminal.cols || rows !== this.#terminal.rows) this.#terminal.resize(columns, rows);
    if (!this.#typing) this.scale();
  }

  /**
   * Enables or disables typing.
   * @param holdsKeyboard keeps the focus after typing has ended, so that further keys run no shortcuts
   */
  setTyping(typing: boolean, holdsKeyboard = false): void {
    this.#typing = typing;
    this.#holdsKeyboard = holdsKeyboard;
    this.#terminal.options.disableStdin = !typing;
    this.#terminal.options.cursorBlink = typing && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (typing) {
      this.#opening = 0;
      this.#terminal.options.fontSize = FONT_PX;
      this.#terminal.focus();
    } else {
      if (!holdsKeyboard) this.#terminal.blur();
      this.scale();
    }
  }

  /** Returns the size that fills the page; undefined while the terminal is not visible. */
  fitting(): Size | undefined {
    if (this.#host.clientWidth === 0 || this.#host.clientHeight === 0) return undefined;
    const fitting = this.#fit.proposeDimensions();
    if (!fitting || !Number.isFinite(fitting.cols) || !Number.isFinite(fitting.rows)) return undefined;
    return { columns: Math.max(20, fitting.cols), rows: Math.max(5, fitting.rows) };
  }

  /** Scales the font so that the whole screen fits. */
  scale(): void {
    const screen = this.#host.querySelector<HTMLElement>(".xterm-screen");
    if (!screen || screen.offsetWidth === 0 || this.#host.clientWidth === 0) return;
    const now = this.#terminal.options.fontSize ?? FONT_PX;
    const room = Math.min(
      this.#host.clientWidth / screen.offsetWidth,
      this.#host.clientHeight / screen.offsetHeight,
    );
    const best = Math.max(MIN_FONT_PX, Math.min(FONT_PX, Math.floor(now * room * 4) / 4));
    if (best !== now) this.#terminal.options.fontSize = best;
  }

  /** Pastes a text without sending it. A program without bracketed paste gets it as one line. */
  quote(text: string): void {
    this.paste(this.#terminal.modes.bracketedPasteMode ? text : text.replaceAll(/\s*\n\s*/g, " "));
  }

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
