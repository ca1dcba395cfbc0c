/**
 * The number of connections that long-lived requests may occupy. A browser opens six per origin, shared by all tabs.
 * One is for the live stream, and one stays free for short calls.
 */
export interface ConnectionBudget {
  /** Terminals and calls that wait for a device, together. */
  long: number;
  /** Terminals alone. */
  terminals: number;
}

export const connectionBudgets = {
  few: { long: 4, terminals: 3 },
  /** HTTP/2 and later multiplex all requests over one connection. */
  many: { long: 26, terminals: 20 },
} satisfies Record<string, ConnectionBudget>;

/** Returns the budget for the page's HTTP version. */
export function pageBudget(): keyof typeof connectionBudgets {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return /^h[23]/.test(page?.nextHopProtocol ?? "") ? "many" : "few";
}
