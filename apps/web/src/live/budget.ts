/**
 * How many connections may be taken for long. A browser opens six to an address for all tabs: one is for the live
 * stream, and one stays free for calls that are answered immediately.
 */
export interface Budget {
  /** Terminals and calls that wait for a device, together. */
  long: number;
  /** Terminals alone. */
  terminals: number;
}

export const budgets = {
  few: { long: 4, terminals: 3 },
  /** HTTP/2 and later send everything over one connection. */
  many: { long: 26, terminals: 20 },
} satisfies Record<string, Budget>;

/** The budget for the protocol that has brought the page. */
export function budgetOfPage(): keyof typeof budgets {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return /^h[23]/.test(page?.nextHopProtocol ?? "") ? "many" : "few";
}
