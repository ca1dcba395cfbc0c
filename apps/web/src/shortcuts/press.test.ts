import { expect, it } from "vitest";
import { nameOf, Presses } from "./press";

const press = (key: string, held: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

it("names a key press, and leaves those of the browser alone", () => {
  expect([
    nameOf(press("n"), false),
    nameOf(press("?"), false),
    nameOf(press("k", { ctrlKey: true }), false),
    nameOf(press("K", { metaKey: true }), true),
    nameOf(press("/", { ctrlKey: true, altKey: true }), false),
  ]).toEqual(["n", "?", "mod+k", "mod+k", "/"]);
  for (const other of [
    nameOf(press("k", { metaKey: true }), false),
    nameOf(press("k", { ctrlKey: true }), true),
    nameOf(press("ArrowDown"), false),
    nameOf(press(" "), false),
  ])
    expect(other).toBeUndefined();
});

it("finds two keys that are pressed one after the other, within a moment", () => {
  const run = () => undefined;
  const shortcuts = [
    { keys: "d", title: "Diff", run },
    { keys: "g d", title: "Devices", run },
    { keys: "s", title: "Status of a card" },
  ];
  const presses = new Presses();
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

it("lets the first of two shortcuts with the same key win", () => {
  const [page, everywhere] = [
    { keys: "n", title: "New task", run: () => undefined },
    { keys: "n", title: "New here", run: () => undefined },
  ];
  expect(new Presses().find("n", 0, [page, everywhere])).toBe(page);
});
