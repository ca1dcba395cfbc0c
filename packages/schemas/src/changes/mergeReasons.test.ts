import { expect, it } from "vitest";
import { blockText } from "./mergeReasons";

it("describes a block with the code host's message only where that is the reason", () => {
  expect(blockText({ code: "provider", detail: "a_new_word" })).toBe("The code host blocks it: a_new_word.");
  expect(blockText({ code: "checks_failed", detail: "test" })).toBe("A required check failed: test.");
  expect(blockText({ code: "draft", detail: "draft_status" })).toBe(
    "It is a draft. Mark it as ready at the code host.",
  );
});
