import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Hub, type Port } from "./hub";
import type { FromHub, Look, ToHub } from "./messages";
import type { OpenStream, StreamHandlers } from "./stream";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const acme: Look = { organizationId: "acme", userId: "ada", token: undefined };
const gone = { type: "workspace_gone", id: "tree" } as const;
const ready = (missed = false) => ({ type: "ready", missed, version: "1.0.0" }) as const;

interface Opened {
  look: Look;
  lastEventId: string | undefined;
  handlers: StreamHandlers;
  closed: boolean;
}

/** A hub, the streams that it has opened, and a way to make tabs. */
function useHub() {
  const streams: Opened[] = [];
  const open: OpenStream = (look, lastEventId, handlers) => {
    const opened = { look, lastEventId, handlers, closed: false };
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
      look: (look: Look) => send({ type: "look", look }),
      leave: () => send({ type: "leave" }),
      end: () => send({ type: "end" }),
      show: (terminal: string) => send({ type: "show", terminal }),
      preferred: (terminal: string) => send({ type: "take", terminal }),
      hide: (terminal: string) => send({ type: "hide", terminal }),
      call: (call: string) => send({ type: "call", call }),
      called: (call: string) => send({ type: "called", call }),
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
  one.look(acme);
  two.look(acme);
  expect(streams).toHaveLength(1);
  last().handlers.onEvent(ready(), "7");
  last().handlers.onEvent(gone, "7");
  // A tab misses what happened before it looked.
  const all = [
    { type: "ready", missed: true, version: "1.0.0" },
    { type: "state", brokenSince: null, isSilent: false },
    { type: "change", change: gone },
  ];
  expect(one.take()).toEqual(all);
  expect(two.take()).toEqual(all);
  one.leave();
  expect(last().closed).toBe(false);
  two.leave();
  expect(last().closed).toBe(true);
});

it("tells a tab that comes later to read what it missed", () => {
  const { last, tab } = useHub();
  const [one, two] = [tab(), tab()];
  one.look(acme);
  last().handlers.onEvent(ready(), "7");
  one.take();
  two.look(acme);
  expect(two.take()).toEqual([
    { type: "ready", missed: true, version: "1.0.0" },
    { type: "state", brokenSince: null, isSilent: false },
  ]);
  expect(one.take()).toEqual([]);
});

it("has a stream of its own for another organization, another person, and another session", () => {
  const { streams, tab } = useHub();
  for (const look of [
    acme,
    { ...acme, organizationId: "b" },
    { ...acme, userId: "b" },
    { ...acme, token: "b" },
  ])
    tab().look(look);
  expect(streams).toHaveLength(4);
  const [first] = streams;
  const moving = tab();
  moving.look(acme);
  moving.look({ ...acme, organizationId: "b" });
  expect(streams).toHaveLength(4);
  expect(first?.closed).toBe(false);
});

it("resumes after the last event, and tells tabs only of what they missed", () => {
  const { streams, last, tab } = useHub();
  const one = tab();
  one.look(acme);
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

it("says since when the stream is broken, but not of a short break", () => {
  const { last, tab } = useHub();
  const one = tab();
  one.look(acme);
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
  two.look(acme);
  expect(two.take()).toEqual([{ type: "state", brokenSince, isSilent: false }]);
});

it("tells tabs that the API refuses, and tries again", () => {
  const { streams, last, tab } = useHub();
  const one = tab();
  one.look(acme);
  last().handlers.onEnd(true);
  expect(one.take()).toEqual([{ type: "refused" }]);
  vi.runOnlyPendingTimers();
  expect(streams).toHaveLength(2);
  one.leave();
  last().handlers.onEnd(true);
  vi.runOnlyPendingTimers();
  expect(streams).toHaveLength(2);
});

const place = (terminal: string, has: boolean) => ({ type: "place", terminal, has });
const turn = (call: string) => ({ type: "turn", call });

it("gives places to as many terminals as there may be, in all tabs together", () => {
  const { tab } = useHub();
  const [one, two] = [tab(), tab()];
  one.show("a");
  two.show("b");
  two.show("c");
  expect(one.take()).toEqual([place("a", true)]);
  expect(two.take()).toEqual([place("b", true), place("c", false)]);
  // The one that has had its place for the longest time gives it up.
  two.preferred("c");
  expect(one.take()).toEqual([place("a", false)]);
  expect(two.take()).toEqual([place("c", true)]);
  // And gets one when another is hidden, or when its tab is closed.
  two.hide("b");
  expect(one.take()).toEqual([place("a", true)]);
  two.show("d");
  expect(two.take()).toEqual([place("d", false)]);
  one.end();
  expect(two.take()).toEqual([place("d", true)]);
});

it("lets calls wait for devices as long as connections are left, and one at least", () => {
  const { tab } = useHub();
  const [one, two] = [tab(), tab()];
  one.show("a");
  for (const call of ["1", "2", "3", "4"]) two.call(call);
  expect(two.take()).toEqual([turn("1"), turn("2")]);
  one.show("b");
  two.called("1");
  expect(two.take()).toEqual([]);
  two.called("2");
  expect(two.take()).toEqual([turn("3")]);
  one.hide("a");
  expect(two.take()).toEqual([turn("4")]);
});

it("forgets the calls of a tab that is gone, and those that never end", () => {
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

it("reports a stream that opens and brings nothing, and that it is back", () => {
  const { last, tab } = useHub();
  const one = tab();
  const brokenSince = Date.now();
  one.look(acme);
  expect(one.take()).toEqual([]);
  vi.runOnlyPendingTimers();
  expect(one.take()).toEqual([{ type: "state", brokenSince, isSilent: true }]);
  const two = tab();
  two.look(acme);
  expect(two.take()).toEqual([{ type: "state", brokenSince, isSilent: true }]);
  last().handlers.onEvent(ready(), "7");
  expect(one.take().at(-1)).toEqual({ type: "state", brokenSince: null, isSilent: false });
});
