/** The browser refused a command. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";

  readonly method: string;
  readonly reason: string;

  constructor(method: string, reason: string) {
    super(`${method}: ${reason}`);
    this.method = method;
    this.reason = reason;
  }
}

/** A document, with everything known about it, was replaced while it was being queried. */
export class DocumentGone extends Error {
  override readonly name = "DocumentGone";
}

/** A frame within the page has not answered for too long; treated as gone until it does. */
export class FrameSilent extends DocumentGone {}

const goneMessages = [
  /Cannot find context with specified id/,
  /Execution context was destroyed/,
  /Inspected target navigated or closed/,
  /No frame for given id found/,
  /Frame with the given id (was )?not found/,
  /uniqueContextId not found/,
  /Promise was collected/,
];

export const isDocumentGoneError = (error: unknown): boolean =>
  error instanceof ProtocolError && goneMessages.some((message) => message.test(error.reason));
