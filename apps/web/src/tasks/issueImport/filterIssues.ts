import type { Issue } from "@grove/schemas";

/** Returns the issues whose key, title or assignee contain every word of the text, ignoring case. */
export function filterIssues(issues: readonly Issue[], text: string): Issue[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return issues.filter(({ key, title, assigneeName }) => {
    const haystack = `${key} ${title} ${assigneeName ?? ""}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}
