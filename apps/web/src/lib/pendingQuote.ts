/** A text that a person takes from one page to the input of another. */
let waiting: { to: string; text: string } | undefined;

/**
 * Leaves a text for the page that is opened next.
 * @param to the id of the agent's session, or of the workspace in which an agent is to be started
 */
export function setPendingQuote(to: string, text: string): void {
  waiting = { to, text };
}

/** Takes the text that was left for this page, once. */
export function takePendingQuote(to: string | undefined): string | undefined {
  const taken = waiting;
  waiting = undefined;
  return taken?.to === to ? taken?.text : undefined;
}
