import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Hub, type Port } from "./hub";
import type { FromHub, Subscription, ToHub } from "./messages";
import type { OpenStream, StreamHandlers } from "./openStream";

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

/** A hub, the streams that it has opened, and a way to make tabs. */
function useHub() {
  const streams: Opened[] = [];
  const open: OpenStream = (subscription, lastEventId, handlers) => {
    const opened = { subscription, lastEventId, handlers, closed: false };
    streams.push(opened);
    return () => {
      opened.closed = true;
    };
  };
  const hub = new Hub(open, { long: 3, terminals: 2 });
  const tab = () => {
    const messages: FromHub[] = [];
    const port: Port = { postMessage: (message) => messages.push(message), onmessage: null };
    hub.add(port);
    const send = (data: ToHub) => port.onmessage?.({ data } as MessageEvent<ToHub>);
    return {
      subscribe: (subscription: Subscription) => send({ type: "subscribe", subscription }),
      unsubscribe: () => send({ type: "unsubscribe" }),
      end: () => send({ type: "end" }),
      show: (terminal: string) => send({ type: "show", terminal }),
      takeSlot: (terminal: string) => send({ type: "take", terminal }),
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
  return { streams, last, tab };
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

const slot = (terminal: string, hasSlot: boolean) => ({ type: "slot", terminal, hasSlot });
const turn = (call: string) => ({ type: "turn", call });

it("limits the visible terminals of all tabs together", () => {
  const { tab } = useHub();
  const [one, two] = [tab(), tab()];
  one.show("a");
  two.show("b");
  two.show("c");
  expect(one.take()).toEqual([slot("a", true)]);
  expect(two.take()).toEqual([slot("b", true), slot("c", false)]);
  // The terminal that has had its slot the longest loses it.
  two.takeSlot("c");
  expect(one.take()).toEqual([slot("a", false)]);
  expect(two.take()).toEqual([slot("c", true)]);
  // A terminal gets a slot when another one is hidden, or its tab is closed.
  two.hide("b");
  expect(one.take()).toEqual([slot("a", true)]);
  two.show("d");
  expect(two.take()).toEqual([slot("d", false)]);
  one.end();
  expect(two.take()).toEqual([slot("d", true)]);
});

it("lets as many calls wait for devices as connections are free, and always one", () => {
  const { tab } = useHub();
  const [one, two] = [tab(), tab()];
  one.show("a");
  for (const call of ["1", "2", "3", "4"]) two.call(call);
  expect(two.take()).toEqual([turn("1"), turn("2")]);
  one.show("b");
  two.endCall("1");
  expect(two.take()).toEqual([]);
  two.endCall("2");
  expect(two.take()).toEqual([turn("3")]);
  one.hide("a");
  expect(two.take()).toEqual([turn("4")]);
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
