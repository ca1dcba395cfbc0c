import { expect, it } from "vitest";
import { blockText, mergeReasonText } from "./mergeReasons";

it("describes a block with the code host's message only where that is the reason", () => {
  expect(blockText({ code: "provider", detail: "a_new_word" })).toBe("The code host blocks it: a_new_word.");
  expect(blockText({ code: "checks_failed", detail: "test" })).toBe("A required check failed: test.");
  expect(blockText({ code: "draft", detail: "draft_status" })).toBe(
    "It is a draft. Mark it as ready for review.",
  );
});

it("says that a queue may still merge what Grove no longer follows", () => {
  expect(mergeReasonText("expired", null)).toBe(
    "It took longer than 24 hours. If it is still in the code host's merge queue, the queue may merge it later.",
  );
});
