/** How long tools wait by default until an element appears and stops moving. */
export const DEFAULT_ELEMENT_WAIT_MS = 5_000;

/** The timeout for an element, and the start of the wait. */
export interface ElementWait {
  readonly timeoutMs: number;
  readonly started: number;
}

export const waitFor = (timeoutMs: number): ElementWait => ({ timeoutMs, started: performance.now() });
