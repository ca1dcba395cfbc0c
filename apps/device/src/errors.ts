/** A failure that the caller of a tool gets to read: a stable reason, and words that name the next step. */
export class ToolError extends Error {
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}
