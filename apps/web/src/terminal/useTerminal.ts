import { useEffect, useRef, useState } from "react";
import { takePendingQuote } from "../lib/pendingQuote";
import { INITIAL_SIZE } from "./emulator/createXterm";
import { Emulator } from "./emulator/emulator";
import type { TouchKey } from "./input/touchKeys";
import { useInputQueue } from "./input/useInputQueue";
import { useModifiers } from "./input/useModifiers";
import { useTyping } from "./input/useTyping";
import { useScreenReaderMode } from "./useScreenReaderMode";
import { type SessionKey, useSessionOutput } from "./useSessionOutput";
import { useTerminalSize } from "./useTerminalSize";

const MIN_FONT_PX = 8;

/** Connects an `Emulator`, an `InputQueue` and the output stream, and exposes their state to React. */
export function useTerminal(key: SessionKey) {
  const host = useRef<HTMLDivElement>(null);
  const emulator = useRef<Emulator>(undefined);
  const typing = useTyping(host);
  const { isTyping, setTyping, holdsKeyboard, leave } = typing;
  const { screenReader, setScreenReader } = useScreenReaderMode();
  const { queue, failedInput, slowText } = useInputQueue(key);
  const { takeModifiers, ...sticky } = useModifiers();
  const [title, setTitle] = useState("");
  const [linkUrl, setLinkUrl] = useState<string>();
  const [clipboardText, setClipboardText] = useState<string>();
  // Lines quoted from another page need the same confirmation as a multi-line paste.
  const [quote] = useState(() => takePendingQuote(key.id));
  const [pasteText, setPasteText] = useState(quote);
  const closePrompt = useRef<() => boolean>(() => false);
  closePrompt.current = () => {
    if (linkUrl === undefined && pasteText === undefined) return false;
    setLinkUrl(undefined);
    setPasteText(undefined);
    return true;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another effect applies `screenReader`.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const opened = new Emulator(element, {
      size: INITIAL_SIZE,
      onType: (text) => queue.current?.type(takeModifiers(text)),
      onPasteLines: setPasteText,
      onLink: setLinkUrl,
      onTitle: setTitle,
      onCopy: setClipboardText,
      onLeave: leave,
      onEscape: () => closePrompt.current(),
      screenReader,
      minFontPx: MIN_FONT_PX,
    });
    emulator.current = opened;
    return () => opened.close();
  }, [key.organizationId, key.id, queue, leave, takeModifiers]);
  // After the effect that creates the emulator, because stored output arrives immediately.
  const { isSizeKnown, isConnected, typingUserId, error } = useSessionOutput(emulator, key);

  useEffect(() => {
    // A terminal that is still hidden must not get the focus.
    if (isSizeKnown) emulator.current?.setTyping(isTyping, holdsKeyboard);
  }, [isTyping, holdsKeyboard, isSizeKnown]);
  useEffect(() => emulator.current?.setScreenReader(screenReader), [screenReader]);
  useTerminalSize({ host, emulator, isTyping, ...key });

  /** Returns the focus to the terminal when a prompt closes. */
  const returnFocus = () => (isTyping ? emulator.current?.focus() : leave());
  return {
    ...typing,
    ...sticky,
    pressKey: (pressed: TouchKey) => emulator.current?.pressKey(pressed),
    host,
    emulator,
    isSizeKnown,
    isConnected,
    typingUserId,
    title,
    error,
    screenReader,
    setScreenReader,
    failedInput,
    slowText,
    linkUrl,
    pasteText,
    clipboardText,
    returnFocus,
    resume: (unsent: "send" | "discard") => {
      queue.current?.resume(unsent);
      emulator.current?.focus();
    },
    discardInput: () => {
      queue.current?.discard();
      returnFocus();
    },
    closeLink: () => {
      setLinkUrl(undefined);
      returnFocus();
    },
    closeClipboard: () => {
      setClipboardText(undefined);
      returnFocus();
    },
    /** Answers the prompt about a multi-line paste. */
    paste: (text: string | undefined) => {
      setPasteText(undefined);
      if (text === undefined) return returnFocus();
      setTyping(true);
      emulator.current?.setTyping(true);
      if (text === quote) emulator.current?.pasteQuote(text);
      else emulator.current?.paste(text);
    },
  };
}

export type TerminalState = ReturnType<typeof useTerminal>;
