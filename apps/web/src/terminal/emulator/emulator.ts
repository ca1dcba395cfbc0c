import type { FitAddon } from "@xterm/addon-fit";
import type { ITerminalAddon, Terminal } from "@xterm/xterm";
import { isMac } from "../../shortcuts/keyCaps";
import { addStyleNonces } from "../../ui/addStyleNonces";
import { isComposing } from "../../ui/inputMethod";
import { copyText } from "../copyText";
import { isCopyKey, isFindKey } from "../input/pageKeys";
import { type TouchKey, textOfKey } from "../input/touchKeys";
import { createXterm, FONT_PX, type Size } from "./createXterm";
import { terminalText } from "./downloadText";
import { fittingSize, scaleFont } from "./fitTerminal";
import { OutputWriter } from "./outputWriter";
import { suppressDeadLinks } from "./suppressDeadLinks";
import { isFocusReport, suppressReplies } from "./terminalReplies";
import { currentColours, onThemeChange } from "./terminalTheme";
import { sanitizeTitle } from "./windowTitle";

const LINE_BREAK = "\x1b\r";
const LINK_HINT = `${isMac ? "⌘" : "Ctrl"}+click to open the link`;
/** CAN ends any control sequence. */
const CANCEL = "\x18";

interface EmulatorOptions {
  size: Size;
  onType: (text: string) => void;
  /** The user pasted several lines, which must be confirmed first. */
  onPasteLines: (text: string) => void;
  /** The user clicked a link. Its URL is http or https. */
  onLink: (url: string) => void;
  /** The program set the window title. */
  onTitle: (title: string) => void;
  /** A program wants to set the clipboard. Only called while the user is typing. */
  onCopy: (text: string) => void;
  /** The user left the terminal with F6, or with Escape after typing had ended. */
  onLeave: () => void;
  /** The user pressed Escape. Returns whether that closed a prompt, so that the program does not get the key. */
  onEscape: () => boolean;
  screenReader: boolean;
  /** The smallest font to which a viewer's screen is scaled. */
  minFontPx: number;
}

/** The terminal of a session, by xterm.js: renders a program's output, and reports typed text. */
export class Emulator {
  readonly #terminal: Terminal;
  readonly #fit: FitAddon;
  readonly #output: OutputWriter;
  readonly #host: HTMLElement;
  readonly #minFontPx: number;
  readonly #removeListeners: () => void;
  #isTyping = false;
  /** Whether it swallows keys after typing has ended. */
  #holdsKeyboard = false;
  /** Whether a composition has ended, but xterm.js has not reported its text yet. */
  #isComposed = false;

  constructor(host: HTMLElement, options: EmulatorOptions) {
    const { onType, onTitle, onCopy } = options;
    const { terminal, fit } = createXterm({
      ...options,
      onHover: (isOverLink) => {
        host.title = isOverLink ? LINK_HINT : "";
      },
    });
    suppressDeadLinks(terminal.parser);
    suppressReplies(terminal.parser, (text) => {
      if (this.#isTyping) onCopy(text);
    });
    terminal.onTitleChange((title) => onTitle(sanitizeTitle(title)));
    terminal.onData((text) => {
      if (this.#isTyping && !isFocusReport(text)) onType(text);
    });
    terminal.attachCustomKeyEventHandler((event) => this.#onKey(event, options));
    addStyleNonces();
    terminal.open(host);
    // xterm.js handles the same event, and reports the text in its next task.
    terminal.textarea?.addEventListener("compositionend", () => {
      this.#isComposed = true;
      setTimeout(() => {
        this.#isComposed = false;
      });
    });
    const onPaste = (event: ClipboardEvent) => this.#onPaste(event, options);
    host.addEventListener("paste", onPaste, { capture: true });
    const removeThemeListener = onThemeChange(() => {
      terminal.options.theme = currentColours();
    });
    this.#terminal = terminal;
    this.#fit = fit;
    this.#output = new OutputWriter(terminal);
    this.#host = host;
    this.#minFontPx = options.minFontPx;
    this.#removeListeners = () => {
      host.removeEventListener("paste", onPaste, { capture: true });
      removeThemeListener();
    };
  }

  /** Holds a multi-line paste back for a confirmation, because a program would run its lines. */
  #onPaste(event: ClipboardEvent, { onPasteLines }: EmulatorOptions): void {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!text.trimEnd().includes("\n") || this.#hasBracketedPaste) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    onPasteLines(text);
  }

  /** @returns whether xterm.js should handle the key */
  #onKey(event: KeyboardEvent, { onType, onLeave, onEscape }: EmulatorOptions): boolean {
    // xterm.js tracks compositions by key code 229. Other keys of an input method are not for the program.
    if (isComposing(event)) return this.#isTyping && event.keyCode === 229;
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
    // The page opens the find bar.
    if (isFindKey(event)) return false;
    if (isCopyKey(event, this.#terminal.hasSelection())) {
      if (isDown) {
        event.preventDefault();
        this.#copySelection();
      }
      return false;
    }
    // Shift+Enter is a line break for agents that send with Enter.
    if (event.key === "Enter" && event.shiftKey) {
      if (isDown && this.#isTyping) {
        event.preventDefault();
        if (this.#isComposed) setTimeout(() => onType(LINE_BREAK));
        else onType(LINE_BREAK);
      }
      return false;
    }
    return this.#isTyping;
  }

  #copySelection(): void {
    const text = this.#terminal.getSelection();
    if (text === "") return;
    void copyText(text);
    // So that the next Ctrl+C interrupts the program.
    this.clearSelection();
  }

  clearSelection(): void {
    this.#terminal.clearSelection();
  }

  /** The scrollback and the screen as text. */
  get text(): string {
    return terminalText(this.#terminal.buffer);
  }

  loadAddon(addon: ITerminalAddon): void {
    this.#terminal.loadAddon(addon);
  }

  /** Resolves when the output has been parsed. */
  write(output: string): Promise<void> {
    return this.#output.write(output);
  }

  /** Cancels an incomplete control sequence. */
  cancelSequence(): void {
    this.#terminal.write(CANCEL);
  }

  resize({ columns, rows }: Size): void {
    if (columns !== this.#terminal.cols || rows !== this.#terminal.rows) this.#terminal.resize(columns, rows);
    if (!this.#isTyping) this.scaleFont();
  }

  /**
   * Enables or disables typing.
   * @param holdsKeyboard keeps the focus after typing has ended, so that further keys run no shortcuts
   */
  setTyping(isTyping: boolean, holdsKeyboard = false): void {
    this.#isTyping = isTyping;
    this.#holdsKeyboard = holdsKeyboard;
    this.#terminal.options.disableStdin = !isTyping;
    this.#terminal.options.cursorBlink = isTyping && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (isTyping) {
      this.#output.endInitial();
      this.#terminal.options.fontSize = FONT_PX;
      this.#terminal.focus();
    } else {
      if (!holdsKeyboard) this.#terminal.blur();
      this.scaleFont();
    }
  }

  /** Returns the size that fills the page; undefined while the terminal is not visible. */
  fittingSize(): Size | undefined {
    return fittingSize(this.#host, this.#fit);
  }

  /** Scales the font so that the whole screen fits. */
  scaleFont(): void {
    scaleFont(this.#host, this.#terminal, this.#minFontPx);
  }

  /** Pastes a text without sending it. A program without bracketed paste gets it as one line. */
  pasteQuote(text: string): void {
    this.paste(this.#hasBracketedPaste ? text : text.replaceAll(/\s*\n\s*/g, " "));
  }

  /** Whether the program receives a paste as one text, and so does not run its lines. */
  get #hasBracketedPaste(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  paste(text: string): void {
    this.#terminal.paste(text);
    this.#terminal.focus();
  }

  /** Types a key of the key row. */
  pressKey(key: TouchKey): void {
    this.#terminal.input(textOfKey(key, this.#terminal.modes.applicationCursorKeysMode));
  }

  focus(): void {
    this.#terminal.focus();
  }

  setScreenReader(isOn: boolean): void {
    this.#terminal.options.screenReaderMode = isOn;
  }

  close(): void {
    this.#removeListeners();
    this.#terminal.dispose();
  }
}
