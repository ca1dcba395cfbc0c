import type { Issue } from "@grove/schemas";

/** The issues that have every word of a text in their key, title or assignee, in any case. */
export function found(issues: readonly Issue[], text: string): Issue[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return issues.filter(({ key, title, assigneeName }) => {
    const said = `${key} ${title} ${assigneeName ?? ""}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
