import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openWhileVisible } from "./openWhileVisible";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class Tab extends EventTarget {
  visibilityState: DocumentVisibilityState = "visible";

  show(visibilityState: DocumentVisibilityState): void {
    this.visibilityState = visibilityState;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

/** Counts how often a stream was opened, and how many are open. */
function useStream() {
  const counts = { opened: 0, open: 0 };
  const open = () => {
    counts.opened++;
    counts.open++;
    return () => void counts.open--;
  };
  return { counts, open };
}

it("closes the stream in a hidden tab, and opens it again when the tab is visible", () => {
  const tab = new Tab();
  const { counts, open } = useStream();
  const stop = openWhileVisible(open, tab);
  expect(counts).toEqual({ opened: 1, open: 1 });
  tab.show("hidden");
  expect(counts.open).toBe(1);
  vi.runAllTimers();
  expect(counts.open).toBe(0);
  tab.show("visible");
  expect(counts).toEqual({ opened: 2, open: 1 });
  stop();
  tab.show("hidden");
  tab.show("visible");
  expect(counts).toEqual({ opened: 2, open: 0 });
});

it("keeps the stream of a tab that is hidden for a moment", () => {
  const tab = new Tab();
  const { counts, open } = useStream();
  const stop = openWhileVisible(open, tab);
  tab.show("hidden");
  tab.show("visible");
  vi.runAllTimers();
  expect(counts).toEqual({ opened: 1, open: 1 });
  stop();
});
