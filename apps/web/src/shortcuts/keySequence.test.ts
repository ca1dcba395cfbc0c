import { expect, it } from "vitest";
import { KeySequence, keyName } from "./keySequence";

const press = (key: string, held: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

it("names a key press, and ignores those of the browser", () => {
  expect([
    keyName(press("n"), false),
    keyName(press("?"), false),
    keyName(press("k", { ctrlKey: true }), false),
    keyName(press("K", { metaKey: true }), true),
    keyName(press("/", { ctrlKey: true, altKey: true }), false),
  ]).toEqual(["n", "?", "mod+k", "mod+k", "/"]);
  for (const other of [
    keyName(press("k", { metaKey: true }), false),
    keyName(press("k", { ctrlKey: true }), true),
    keyName(press("ArrowDown"), false),
    keyName(press(" "), false),
  ])
    expect(other).toBeUndefined();
});

it("finds a sequence of two keys, if the second follows in time", () => {
  const run = () => undefined;
  const shortcuts = [
    { keys: "d", title: "Diff", run },
    { keys: "g d", title: "Devices", run },
    { keys: "s", title: "Status of a card" },
  ];
  const presses = new KeySequence();
  const title = (name: string, at: number) => {
    const found = presses.find(name, at, shortcuts);
    return typeof found === "object" ? found.title : found;
  };
  expect([title("d", 0), title("g", 100), title("d", 200), title("d", 300)]).toEqual([
    "Diff",
    "pending",
    "Devices",
    "Diff",
  ]);
  expect([title("g", 1_000), title("d", 3_000)]).toEqual(["pending", "Diff"]);
  expect([title("g", 4_000), title("x", 4_100), title("d", 4_200)]).toEqual(["pending", undefined, "Diff"]);
  expect(title("s", 5_000)).toBeUndefined();
});

it("prefers the first of two shortcuts with the same key", () => {
  const [page, everywhere] = [
    { keys: "n", title: "New task", run: () => undefined },
    { keys: "n", title: "New here", run: () => undefined },
  ];
  expect(new KeySequence().find("n", 0, [page, everywhere])).toBe(page);
});
