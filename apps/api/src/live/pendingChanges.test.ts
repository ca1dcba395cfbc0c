import { expect, it, vi } from "vitest";
import { PendingChanges } from "./pendingChanges";
import type { StateEntry } from "./state";

const gone = (id: string): StateEntry => ({
  key: `gone ${id}`,
  fingerprint: "",
  change: { type: "workspace_gone", id },
});

it("keeps the newest change of each item, in the order of those changes", () => {
  const onPending = vi.fn();
  const pending = new PendingChanges(onPending);
  pending.add([gone("a"), gone("b")]);
  pending.add([gone("a")]);
  expect(onPending).toHaveBeenCalledTimes(2);
  expect(pending.take()).toEqual({ changes: [gone("b").change, gone("a").change], missed: false });
  expect(pending.take()).toEqual({ changes: [], missed: false });
});

it("reports that changes were missed instead of growing without bound", () => {
  const pending = new PendingChanges(() => undefined);
  pending.add(Array.from({ length: 1_001 }, (_, n) => gone(`${n}`)));
  pending.add([gone("later")]);
  expect(pending.take()).toEqual({ changes: [gone("later").change], missed: true });
  expect(pending.take().missed).toBe(false);
});
