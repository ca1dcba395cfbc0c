/** A text that the user takes from one page to the input of the next. */
let pending: { to: string; text: string } | undefined;

/**
 * Stores a text for the page that is opened next.
 * @param to the id of the agent's session, or of the workspace to start an agent in
 */
export function setPendingQuote(to: string, text: string): void {
  pending = { to, text };
}

/** Returns the text that was stored for this page, and clears it. */
export function takePendingQuote(to: string | undefined): string | undefined {
  const quote = pending;
  pending = undefined;
  return quote?.to === to ? quote?.text : undefined;
}
