import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Hub, type Port } from "./hub";
import type { FromHub, Subscription, ToHub } from "./hubMessages";
import type { OpenStreams, OutputHandlers, Positions, StreamHandlers } from "./openStream";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const acme: Subscription = { organizationId: "acme", userId: "ada", token: undefined };
const gone = { type: "workspace_gone", id: "tree" } as const;
const ready = (missed = false) => ({ type: "ready", missed, version: "1.0.0" }) as const;

interface Opened {
  subscription: Subscription;
  lastEventId: string | undefined;
  handlers: StreamHandlers;
  closed: boolean;
}

interface OpenedOutputs {
  sessions: Positions;
  handlers: OutputHandlers;
  closed: boolean;
}

/** A hub, the streams that it has opened, and a way to make tabs. */
function useHub() {
  const streams: Opened[] = [];
  const outputs: OpenedOutputs[] = [];
  const open: OpenStreams = {
    organization: (subscription, lastEventId, handlers) => {
      const opened = { subscription, lastEventId, handlers, closed: false };
      streams.push(opened);
      return () => {
        opened.closed = true;
      };
    },
    outputs: (_, sessions, handlers) => {
      const opened = { sessions, handlers, closed: false };
      outputs.push(opened);
      return () => {
        opened.closed = true;
      };
    },
  };
  const hub = new Hub(open);
  const tab = () => {
    const messages: FromHub[] = [];
    const port: Port = { postMessage: (message) => messages.push(message), onmessage: null };
    hub.add(port);
    const send = (data: ToHub) => port.onmessage?.({ data } as MessageEvent<ToHub>);
    return {
      subscribe: (subscription: Subscription) => send({ type: "subscribe", subscription }),
      unsubscribe: () => send({ type: "unsubscribe" }),
      end: () => send({ type: "end" }),
      show: (terminal: string, session: string, after = 0) =>
        send({ type: "show", terminal, subscription: acme, session, after }),
      hide: (terminal: string) => send({ type: "hide", terminal }),
      call: (call: string) => send({ type: "call", call }),
      endCall: (call: string) => send({ type: "callEnded", call }),
      /** The messages since the last call. */
      take: () => messages.splice(0),
    };
  };
  const last = () => {
    const opened = streams.at(-1);
    if (!opened) throw new Error("no stream is open");
    return opened;
  };
  /** The newest stream of output, after what the hub does later. */
  const lastOutputs = () => {
    vi.runOnlyPendingTimers();
    const opened = outputs.at(-1);
    if (!opened) throw new Error("no stream of output is open");
    return opened;
  };
  return { streams, last, outputs, lastOutputs, tab };
}

it("has one stream for all tabs of an organization, from the first to the last", () => {
  const { streams, last, tab } = useHub();
  const [one, two] = [tab(), tab()];
  one.subscribe(acme);
  two.subscribe(acme);
  expect(streams).toHaveLength(1);
  last().handlers.onEvent(ready(), "7");
  last().handlers.onEvent(gone, "7");
  // A tab misses the events before its subscription.
  const all = [
    { type: "ready", missed: true, version: "1.0.0" },
    { type: "state", brokenSince: null, isSilent: false },
    { type: "change", change: gone },
  ];
  expect(one.take()).toEqual(all);
  expect(two.take()).toEqual(all);
  one.unsubscribe();
  expect(last().closed).toBe(false);
  two.unsubscribe();
  expect(last().closed).toBe(true);
});

it("reports to a tab that subscribes later that it missed events", () => {
  const { last, tab } = useHub();
  const [one, two] = [tab(), tab()];
  one.subscribe(acme);
  last().handlers.onEvent(ready(), "7");
  one.take();
  two.subscribe(acme);
  expect(two.take()).toEqual([
    { type: "ready", missed: true, version: "1.0.0" },
    { type: "state", brokenSince: null, isSilent: false },
  ]);
  expect(one.take()).toEqual([]);
});

it("opens a separate stream per organization, user and session", () => {
  const { streams, tab } = useHub();
  for (const subscription of [
    acme,
    { ...acme, organizationId: "b" },
    { ...acme, userId: "b" },
    { ...acme, token: "b" },
  ])
    tab().subscribe(subscription);
  expect(streams).toHaveLength(4);
  const [first] = streams;
  const moving = tab();
  moving.subscribe(acme);
  moving.subscribe({ ...acme, organizationId: "b" });
  expect(streams).toHaveLength(4);
  expect(first?.closed).toBe(false);
});

it("resumes after the last event, and reports missed events only if there are any", () => {
  const { streams, last, tab } = useHub();
  const one = tab();
  one.subscribe(acme);
  last().handlers.onEvent(ready(), "7");
  last().handlers.onEvent(gone, "8");
  one.take();
  last().handlers.onEnd(false);
  vi.runOnlyPendingTimers();
  expect(streams).toHaveLength(2);
  expect(last().lastEventId).toBe("8");
  last().handlers.onEvent(ready(), "9");
  expect(one.take().filter(({ type }) => type === "ready")).toEqual([ready(false)]);
});

it("reports since when the stream is broken, except for a short interruption", () => {
  const { last, tab } = useHub();
  const one = tab();
  one.subscribe(acme);
  last().handlers.onEvent(ready(), "7");
  one.take();
  last().handlers.onBreak();
  last().handlers.onEvent(ready(), "7");
  vi.runOnlyPendingTimers();
  expect(one.take().filter(({ type }) => type === "state")).toEqual([
    { type: "state", brokenSince: null, isSilent: false },
  ]);
  const brokenSince = Date.now();
  last().handlers.onBreak();
  vi.advanceTimersByTime(1_000);
  last().handlers.onBreak();
  vi.runOnlyPendingTimers();
  expect(one.take()).toEqual([{ type: "state", brokenSince, isSilent: false }]);
  const two = tab();
  two.subscribe(acme);
  expect(two.take()).toEqual([{ type: "state", brokenSince, isSilent: false }]);
});

it("reports a refused stream to its tabs, and tries again", () => {
  const { streams, last, tab } = useHub();
  const one = tab();
  one.subscribe(acme);
  last().handlers.onEnd(true);
  expect(one.take()).toEqual([{ type: "refused" }]);
  vi.runOnlyPendingTimers();
  expect(streams).toHaveLength(2);
  one.unsubscribe();
  last().handlers.onEnd(true);
  vi.runOnlyPendingTimers();
  expect(streams).toHaveLength(2);
});

const printed = (id: string, sequence: number) =>
  ({ type: "output", id, sequence, data: `${sequence}` }) as const;
const output = (terminal: string, id: string, sequence: number) => ({
  type: "output",
  terminal,
  output: printed(id, sequence),
});

it("has one stream for the output of all terminals, from the first to the last", () => {
  const { outputs, lastOutputs, tab } = useHub();
  const tabs = Array.from({ length: 8 }, tab);
  for (const [n, each] of tabs.entries()) each.show(`t${n}`, `s${n}`);
  const { sessions, handlers } = lastOutputs();
  expect(outputs).toHaveLength(1);
  expect(sessions.map(({ id }) => id).sort()).toEqual(tabs.map((_, n) => `s${n}`));
  handlers.onOpen();
  for (const [n, each] of tabs.entries()) {
    handlers.onOutput(printed(`s${n}`, 1));
    expect(each.take()).toEqual([
      { type: "connection", terminal: `t${n}`, isOpen: true },
      output(`t${n}`, `s${n}`, 1),
    ]);
  }
  for (const each of tabs) each.end();
  expect(lastOutputs().closed).toBe(true);
  expect(outputs).toHaveLength(1);
});

it("resumes each session when another one becomes visible or hidden", () => {
  const { outputs, lastOutputs, tab } = useHub();
  const one = tab();
  one.show("a", "x", 4);
  lastOutputs().handlers.onOutput(printed("x", 5));
  one.show("b", "y");
  const both = lastOutputs();
  expect(outputs[0]?.closed).toBe(true);
  expect(both.sessions).toEqual([
    { id: "y", after: 0 },
    { id: "x", after: 5 },
  ]);
  both.handlers.onOutput(printed("y", 1));
  one.hide("a");
  expect(lastOutputs().sessions).toEqual([{ id: "y", after: 1 }]);
  expect(both.closed).toBe(true);
});

it("sends a session's stored output to its second viewer only", () => {
  const { lastOutputs, tab } = useHub();
  const [one, two] = [tab(), tab()];
  one.show("a", "x");
  lastOutputs().handlers.onOutput(printed("x", 1));
  two.show("b", "x");
  one.take();
  const { sessions, handlers } = lastOutputs();
  expect(sessions).toEqual([{ id: "x", after: 0 }]);
  for (const sequence of [1, 2]) handlers.onOutput(printed("x", sequence));
  expect(one.take()).toEqual([output("a", "x", 2)]);
  expect(two.take()).toEqual([output("b", "x", 1), output("b", "x", 2)]);
});

it("keeps the stream when a session has ended or still has a viewer", () => {
  const { outputs, lastOutputs, tab } = useHub();
  const [one, two] = [tab(), tab()];
  one.show("a", "x");
  one.show("b", "y");
  two.show("c", "y");
  lastOutputs().handlers.onOutput({ type: "refused", id: "x" });
  one.hide("a");
  one.hide("b");
  expect(lastOutputs().closed).toBe(false);
  expect(outputs).toHaveLength(1);
});

it("opens a broken stream of output again after the last chunks, and passes a refusal on", () => {
  const { outputs, lastOutputs, tab } = useHub();
  const one = tab();
  one.show("a", "x");
  const first = lastOutputs();
  first.handlers.onOutput(printed("x", 7));
  first.handlers.onEnd(false);
  expect(one.take().at(-1)).toEqual({ type: "connection", terminal: "a", isOpen: false });
  const second = lastOutputs();
  expect(second.sessions).toEqual([{ id: "x", after: 7 }]);
  second.handlers.onEnd(true);
  expect(one.take().at(-1)).toEqual({ type: "output", terminal: "a", output: { type: "refused", id: "x" } });
  lastOutputs();
  expect(outputs).toHaveLength(2);
});

const turn = (call: string) => ({ type: "turn", call });

it("lets three calls wait for devices at the same time", () => {
  const { tab } = useHub();
  const [one, two] = [tab(), tab()];
  for (const call of ["1", "2", "3", "4", "5"]) two.call(call);
  one.call("6");
  expect(two.take()).toEqual([turn("1"), turn("2"), turn("3")]);
  two.endCall("4");
  expect(two.take()).toEqual([]);
  two.endCall("1");
  expect(two.take()).toEqual([turn("5")]);
  two.endCall("2");
  expect(one.take()).toEqual([turn("6")]);
});

it("drops the calls of a closed tab, and those that never end", () => {
  const { tab } = useHub();
  const [one, two] = [tab(), tab()];
  for (const call of ["1", "2", "3", "4"]) one.call(call);
  two.call("5");
  expect(two.take()).toEqual([]);
  one.end();
  expect(two.take()).toEqual([turn("5")]);
  for (const call of ["6", "7", "8"]) two.call(call);
  expect(two.take()).toEqual([turn("6"), turn("7")]);
  vi.runOnlyPendingTimers();
  expect(two.take()).toEqual([turn("8")]);
});

it("reports a stream that opens but sends nothing, and its recovery", () => {
  const { last, tab } = useHub();
  const one = tab();
  const brokenSince = Date.now();
  one.subscribe(acme);
  expect(one.take()).toEqual([]);
  vi.runOnlyPendingTimers();
  expect(one.take()).toEqual([{ type: "state", brokenSince, isSilent: true }]);
  const two = tab();
  two.subscribe(acme);
  expect(two.take()).toEqual([{ type: "state", brokenSince, isSilent: true }]);
  last().handlers.onEvent(ready(), "7");
  expect(one.take().at(-1)).toEqual({ type: "state", brokenSince: null, isSilent: false });
});
