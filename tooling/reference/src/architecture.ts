import { commandStatus, commandTransitions, openStatuses } from "@grove/schemas";

const BEGIN = "<!-- The states of a command, written by `pnpm --filter @grove/reference generate`. -->";
const END = "<!-- The end of the states of a command. -->";

/** Mermaid's state diagram of `commandTransitions`: initial states, transitions and final states. */
function stateDiagram(): string {
  const isOpen = (status: string) => (openStatuses as readonly string[]).includes(status);
  const lines = commandStatus.options.flatMap((from) => [
    ...commandTransitions[from].map((to) => `  ${from} --> ${to}`),
    ...(isOpen(from) ? [] : [`  ${from} --> [*]`]),
  ]);
  return ["```mermaid", "stateDiagram-v2", "  [*] --> queued", "  [*] --> claimed", ...lines, "```"].join(
    "\n",
  );
}

/**
 * Replaces the diagram of the page by the current one.
 * @param page the text of ARCHITECTURE.md
 * @throws {Error} if the page has no place for the diagram
 */
export function withStateDiagram(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error("ARCHITECTURE.md has no place for the states of a command.");
  return `${page.slice(0, begin)}${BEGIN}\n\n${stateDiagram()}\n\n${page.slice(end)}`;
}
