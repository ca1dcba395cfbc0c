import { expect, it } from "vitest";
import { CardSelection } from "./cardSelection";

it("toggles cards, and tells its subscribers", () => {
  const selection = new CardSelection();
  const seen: string[][] = [];
  const unsubscribe = selection.subscribe(() => seen.push([...selection.ids()]));
  selection.toggle("a");
  selection.toggle("b");
  selection.toggle("a");
  expect([selection.has("a"), selection.has("b")]).toEqual([false, true]);
  selection.clear();
  // Nothing to clear.
  selection.clear();
  unsubscribe();
  selection.toggle("c");
  expect(seen).toEqual([["a"], ["a", "b"], ["b"], []]);
});

it("extends to the next card, and shrinks on the way back", () => {
  const selection = new CardSelection();
  selection.extend("a", "b");
  selection.extend("b", "c");
  expect([...selection.ids()]).toEqual(["a", "b", "c"]);
  selection.extend("c", "b");
  expect([...selection.ids()]).toEqual(["a", "b"]);
});
