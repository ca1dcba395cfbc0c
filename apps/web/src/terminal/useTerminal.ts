import type { AgentSession } from "@grove/schemas";
import { useCallback, useEffect, useRef, useState } from "react";
import { client, queryClient } from "../lib/api";
import { takePendingQuote } from "../lib/pendingQuote";
import type { SlotHolder } from "../live/terminalSlot";
import { showToast } from "../ui/toast";
import { followOutput } from "./followOutput";
import { InputQueue, type Stuck } from "./inputQueue";
import { Pane, type Size } from "./pane";
import { typeText, wasRefused } from "./typeText";

/** The initial size of every session, used until the stream reports the current one. */
const INITIAL_SIZE: Size = { columns: 120, rows: 40 };
const RESIZE_MS = 150;
const SCREEN_READER = "grove.terminal.screenReader";

interface Options {
  organizationId: string;
  id: string;
  onEnd: (session: AgentSession) => void;
}

/** Shows a toast if input stops after the user has left the terminal. */
function reportStuckElsewhere(stuck: Stuck | undefined): void {
  if (!stuck) return;
  showToast({
    title: "Some of your input may not have arrived",
    description: "Open the agent's terminal to check it.",
  });
}

/** Makes the browser confirm before it closes the page while text is pending. */
function confirmUnloadWhilePending(): (isPending: boolean) => void {
  const ask = (event: Event) => event.preventDefault();
  return (isPending) => {
    if (isPending) addEventListener("beforeunload", ask);
    else removeEventListener("beforeunload", ask);
  };
}

/** Connects a `Pane`, an `InputQueue` and the output stream, and exposes their state to React. */
export function useTerminal({ organizationId, id, onEnd }: Options) {
  const host = useRef<HTMLDivElement>(null);
  const pane = useRef<Pane>(undefined);
  const input = useRef<InputQueue>(undefined);
  const output = useRef<SlotHolder>(undefined);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  const [typing, setTyping] = useState(false);
  // Whether the terminal still has the keyboard after typing has ended by itself.
  const [holdsKeyboard, setHoldsKeyboard] = useState(false);
  const [left, setLeft] = useState(0);
  const [shown, setShown] = useState(false);
  const [connected, setConnected] = useState(false);
  const [hasSlot, setHasSlot] = useState(true);
  const [title, setTitle] = useState("");
  const [error, setError] = useState<Error>();
  const [stuck, setStuck] = useState<Stuck>();
  const [slow, setSlow] = useState("");
  const [link, setLink] = useState<string>();
  const [offered, setOffered] = useState<string>();
  // Lines quoted from another page need the same confirmation as a multi-line paste.
  const [quote] = useState(() => takePendingQuote(id));
  const [pasted, setPasted] = useState(quote);
  const [screenReader, storeScreenReader] = useState(() => localStorage.getItem(SCREEN_READER) === "true");
  const leave = useCallback(() => {
    setTyping(false);
    setHoldsKeyboard(false);
    setLeft((times) => times + 1);
  }, []);
  /** Returns the focus to the terminal when a prompt closes. */
  const back = () => (typing ? pane.current?.focus() : setLeft((times) => times + 1));
  const closePrompt = useRef<() => boolean>(() => false);
  closePrompt.current = () => {
    if (link === undefined && pasted === undefined) return false;
    setLink(undefined);
    setPasted(undefined);
    return true;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another effect applies `screenReader`.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const key = { organizationId, id };
    const kept = { queryKey: ["pendingInput", id] };
    const send = (text: string) => typeText(key, text, "live");
    const queue =
      queryClient.getQueryData<InputQueue>(kept.queryKey) ??
      new InputQueue({ send, wasRefused, onPending: confirmUnloadWhilePending() });
    queryClient.removeQueries(kept);
    setStuck(queue.follow(setStuck, setSlow));
    const opened = new Pane(element, {
      size: INITIAL_SIZE,
      onType: (text) => queue.type(text),
      onLink: setLink,
      onTitle: setTitle,
      onCopy: setOffered,
      onLeave: leave,
      onEscape: () => closePrompt.current(),
      screenReader,
    });
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!text.trimEnd().includes("\n")) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      setPasted(text);
    };
    element.addEventListener("paste", onPaste, { capture: true });
    const followed = followOutput(key, {
      onSize: (size) => {
        opened.resize(size);
        setShown(true);
      },
      onOutput: (output) => void opened.write(output),
      onGap: () => opened.forgetSequence(),
      onEnd: (session) => ended.current(session),
      onConnection: setConnected,
      onSlot: setHasSlot,
      onError: setError,
    });
    pane.current = opened;
    input.current = queue;
    output.current = followed;
    return () => {
      followed.end();
      queue.follow(reportStuckElsewhere);
      // Kept for back navigation, until the cache expires or the user signs out.
      if (!queue.isDone) queryClient.setQueryData(kept.queryKey, queue);
      setStuck(undefined);
      setSlow("");
      element.removeEventListener("paste", onPaste, { capture: true });
      opened.close();
    };
  }, [organizationId, id, leave]);

  useEffect(() => {
    // A terminal that is still hidden must not get the focus.
    if (shown) pane.current?.setTyping(typing, holdsKeyboard);
  }, [typing, holdsKeyboard, shown]);
  useEffect(() => pane.current?.setScreenReader(screenReader), [screenReader]);
  useSize({ host, pane, typing, organizationId, id });

  return {
    ...{ host, typing, setTyping, holdsKeyboard, left, shown, connected, hasSlot, title, error },
    ...{ stuck, slow, link, pasted, offered, screenReader },
    /** Ends typing that is no longer possible. Swallows further keys until the user leaves the terminal. */
    keepKeyboard: useCallback(() => {
      setTyping(false);
      setHoldsKeyboard(host.current?.contains(document.activeElement) ?? false);
    }, []),
    releaseKeyboard: () => setHoldsKeyboard(false),
    /** Takes the connection of another terminal. */
    takeSlot: () => {
      output.current?.take();
      // The button disappears.
      setLeft((times) => times + 1);
    },
    resume: (what: "rest" | "nothing") => {
      input.current?.resume(what);
      pane.current?.focus();
    },
    discard: () => {
      input.current?.discard();
      back();
    },
    back,
    closeLink: () => {
      setLink(undefined);
      back();
    },
    closeOffer: () => {
      setOffered(undefined);
      back();
    },
    /** Answers the prompt about a multi-line paste. */
    paste: (text: string | undefined) => {
      setPasted(undefined);
      if (text === undefined) return back();
      setTyping(true);
      pane.current?.setTyping(true);
      if (text === quote) pane.current?.quote(text);
      else pane.current?.paste(text);
    },
    setScreenReader: (on: boolean) => {
      localStorage.setItem(SCREEN_READER, String(on));
      storeScreenReader(on);
    },
  };
}

export type TerminalState = ReturnType<typeof useTerminal>;

interface SizeOptions {
  host: React.RefObject<HTMLDivElement | null>;
  pane: React.RefObject<Pane | undefined>;
  typing: boolean;
  organizationId: string;
  id: string;
}

/** While typing, resizes the session to fit the page. For a viewer, scales the session's size instead. */
function useSize({ host, pane, typing, organizationId, id }: SizeOptions): void {
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const apply = () => {
      const fitting = typing ? pane.current?.fitting() : undefined;
      if (!fitting) return;
      pane.current?.resize(fitting);
      // If this fails, the session keeps its size. The stream reports the current size to all viewers.
      client.agent.resizeSession.mutate({ organizationId, id, ...fitting }).catch(() => undefined);
    };
    const observer = new ResizeObserver(() => {
      if (!typing) pane.current?.scale();
      clearTimeout(timer);
      timer = setTimeout(apply, RESIZE_MS);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [host, pane, typing, organizationId, id]);
}
