import { ToolError } from "@grove/mcp";
import type { Query, Refusal } from "../page/search/find";
import type { Check } from "../page/target/check";
import { pluralize } from "../text";

type NotReady = Exclude<Check, { status: "ready" | "refused" }>;

const nextSteps: Record<Refusal["code"], string> = {
  stale_ref: "The page has changed: get new refs from inspect_dom, or use text or a selector.",
  not_a_ref: "Take a ref from inspect_dom, or use text or a selector.",
  invalid_selector: "Correct the selector.",
};

export const refusal = (code: Refusal["code"], message: string) =>
  new ToolError(code, message, nextSteps[code]);

/** The caller's description of the element, for a sentence. */
function describeQuery({ ref, selector, testId, text }: Query): string {
  const parts = [
    ref && `ref ${JSON.stringify(ref)}`,
    selector && `selector ${JSON.stringify(selector)}`,
    testId && `testId ${JSON.stringify(testId)}`,
    text && `text ${JSON.stringify(text)}`,
  ];
  return parts.filter(Boolean).join(" and ");
}

/** The obstacle that kept an element from being used when the timeout was over. */
export function notActionable(check: NotReady, query: Query, index: number, timeoutMs: number): ToolError {
  const waited = `within ${timeoutMs / 1000} s`;
  switch (check.status) {
    case "missing": {
      if (check.count > 0)
        return new ToolError(
          "no_such_index",
          `Only ${pluralize(check.count, "visible element matches", "visible elements match")} ${describeQuery(query)}, so there is no index ${index}`,
          `Use an index from 0 to ${check.count - 1}.`,
        );
      if (check.select !== undefined)
        return new ToolError(
          "not_found",
          `${describeQuery(query)} is only an option of ${check.select}`,
          "Choose it with type_text into that.",
        );
      const near =
        check.near.length > 0
          ? `The nearest are: ${check.near.join(", ")}.`
          : "inspect_dom shows what is there.";
      return new ToolError(
        "not_found",
        `No visible element with ${describeQuery(query)} appeared ${waited}`,
        near,
      );
    }
    case "hidden":
      return new ToolError(
        "hidden",
        `${check.description} was not visible ${waited}`,
        "Open its container first.",
      );
    case "disabled":
      return new ToolError(
        "disabled",
        `${check.description} was not enabled ${waited}`,
        "Use inspect_dom to see what it waits for.",
      );
    case "moving":
      return new ToolError(
        "moving",
        `${check.description} did not stop moving ${waited}`,
        "Wait, then call again, or click at coordinates.",
      );
    case "offscreen":
      return new ToolError(
        "offscreen",
        `${check.description} cannot be scrolled into view`,
        "Make the window larger or scroll its container.",
      );
    case "distorted":
      return new ToolError(
        "distorted",
        `${check.description} is in a frame whose transform leaves its position unknown`,
        "Click at coordinates from take_screenshot.",
      );
    case "covered":
      return new ToolError(
        "covered",
        `${check.description} is covered by ${check.by}`,
        "If that is a link or button laid over it, click that. Otherwise close or move it first.",
      );
  }
}
