import { expect, it, vi } from "vitest";
import type { Found } from "./state";
import { Unseen } from "./unseen";

const gone = (id: string): Found => ({
  key: `gone ${id}`,
  print: "",
  change: { type: "workspace_gone", id },
});

it("keeps the newest change of each thing, in the order of these", () => {
  const onNews = vi.fn();
  const unseen = new Unseen(onNews);
  unseen.add([gone("a"), gone("b")]);
  unseen.add([gone("a")]);
  expect(onNews).toHaveBeenCalledTimes(2);
  expect(unseen.take()).toEqual({ changes: [gone("b").change, gone("a").change], missed: false });
  expect(unseen.take()).toEqual({ changes: [], missed: false });
});

it("tells that changes were missed instead of holding ever more of them", () => {
  const unseen = new Unseen(() => undefined);
  unseen.add(Array.from({ length: 1_001 }, (_, n) => gone(`${n}`)));
  unseen.add([gone("later")]);
  expect(unseen.take()).toEqual({ changes: [gone("later").change], missed: true });
  expect(unseen.take().missed).toBe(false);
});
