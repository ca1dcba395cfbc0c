import type { AgentSession } from "@grove/schemas";
import { useCallback, useEffect, useRef, useState } from "react";
import { client, queryClient } from "../lib/api";
import { takePendingQuote } from "../lib/pendingQuote";
import type { Placed } from "../live/place";
import { showToast } from "../ui/toast";
import { InputQueue, type Stuck } from "./input";
import { followOutput } from "./output";
import { Pane, type Size } from "./pane";
import { typeText, wasRefused } from "./typeText";

/** Before the first event tells it; the size that every session begins with. */
const FIRST: Size = { columns: 120, rows: 40 };
const RESIZE_MS = 150;
const SCREEN_READER = "grove.terminal.screenReader";

interface Options {
  organizationId: string;
  id: string;
  onEnd: (session: AgentSession) => void;
}

/** Tells a person who has left the terminal that the last text may not be there. */
function sayStuck(stuck: Stuck | undefined): void {
  if (!stuck) return;
  showToast({
    title: "Not all that you typed has arrived",
    description: "The agent's terminal says what has not.",
  });
}

/** Makes the browser ask before the page is closed, as long as text waits. */
function askBeforeUnload(): (isPending: boolean) => void {
  const ask = (event: Event) => event.preventDefault();
  return (isPending) => {
    if (isPending) addEventListener("beforeunload", ask);
    else removeEventListener("beforeunload", ask);
  };
}

/** A terminal's parts, and their state for the page. The terminal itself is no React component. */
export function useTerminal({ organizationId, id, onEnd }: Options) {
  const host = useRef<HTMLDivElement>(null);
  const pane = useRef<Pane>(undefined);
  const input = useRef<InputQueue>(undefined);
  const output = useRef<Placed>(undefined);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  const [typing, setTyping] = useState(false);
  // Whether the terminal keeps the keyboard after typing has ended by itself.
  const [keeps, setKeeps] = useState(false);
  const [left, setLeft] = useState(0);
  const [shown, setShown] = useState(false);
  const [connected, setConnected] = useState(false);
  const [hasPlace, setHasPlace] = useState(true);
  const [title, setTitle] = useState("");
  const [error, setError] = useState<Error>();
  const [stuck, setStuck] = useState<Stuck>();
  const [slow, setSlow] = useState("");
  const [link, setLink] = useState<string>();
  const [offered, setOffered] = useState<string>();
  // Lines that a person brings from another page are asked about, as those of a paste are.
  const [quote] = useState(() => takePendingQuote(id));
  const [pasted, setPasted] = useState(quote);
  const [screenReader, storeScreenReader] = useState(() => localStorage.getItem(SCREEN_READER) === "true");
  const leave = useCallback(() => {
    setTyping(false);
    setKeeps(false);
    setLeft((times) => times + 1);
  }, []);
  /** Gives the focus back when something above the terminal closes. */
  const back = () => (typing ? pane.current?.focus() : setLeft((times) => times + 1));
  const closeBar = useRef<() => boolean>(() => false);
  closeBar.current = () => {
    if (link === undefined && pasted === undefined) return false;
    setLink(undefined);
    setPasted(undefined);
    return true;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the switch is applied below, to the open terminal.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const key = { organizationId, id };
    const kept = { queryKey: ["text that waits", id] };
    const send = (text: string) => typeText(key, text, "live");
    const queue =
      queryClient.getQueryData<InputQueue>(kept.queryKey) ??
      new InputQueue({ send, wasRefused, onPending: askBeforeUnload() });
    queryClient.removeQueries(kept);
    setStuck(queue.follow(setStuck, setSlow));
    const opened = new Pane(element, {
      size: FIRST,
      onType: (text) => queue.type(text),
      onLink: setLink,
      onTitle: setTitle,
      onCopy: setOffered,
      onLeave: leave,
      onEscape: () => closeBar.current(),
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
      onPlace: setHasPlace,
      onError: setError,
    });
    pane.current = opened;
    input.current = queue;
    output.current = followed;
    return () => {
      followed.end();
      queue.follow(sayStuck);
      // For the way back to this page: for some minutes, and not beyond the session of this person.
      if (!queue.isDone) queryClient.setQueryData(kept.queryKey, queue);
      setStuck(undefined);
      setSlow("");
      element.removeEventListener("paste", onPaste, { capture: true });
      opened.close();
    };
  }, [organizationId, id, leave]);

  useEffect(() => {
    // Nothing that is not shown yet gets the focus.
    if (shown) pane.current?.setTyping(typing, keeps);
  }, [typing, keeps, shown]);
  useEffect(() => pane.current?.setScreenReader(screenReader), [screenReader]);
  useSize({ host, pane, typing, organizationId, id });

  return {
    ...{ host, typing, setTyping, keeps, left, shown, connected, hasPlace, title, error },
    ...{ stuck, slow, link, pasted, offered, screenReader },
    /** Ends typing that is no longer possible. Later keys go nowhere until the terminal is left. */
    keepKeyboard: useCallback(() => {
      setTyping(false);
      setKeeps(host.current?.contains(document.activeElement) ?? false);
    }, []),
    releaseKeyboard: () => setKeeps(false),
    /** Shows this terminal in the place of another one. */
    takePlace: () => {
      output.current?.take();
      // The button goes away.
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
    /** Answers the question about a paste of several lines. */
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

/** A person who types gives the program the size of the page. A viewer sees the program's size, scaled. */
function useSize({ host, pane, typing, organizationId, id }: SizeOptions): void {
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const apply = () => {
      const fitting = typing ? pane.current?.fitting() : undefined;
      if (!fitting) return;
      pane.current?.resize(fitting);
      // A size that is not set stays what it was; the stream tells everybody which it is.
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
