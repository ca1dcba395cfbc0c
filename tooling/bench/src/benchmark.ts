import type { Scope } from "./scope";

/** One line of a benchmark's table: Grove beside the floor that was measured in the same run. */
export interface Row {
  measure: string;
  floor?: number;
  grove: number;
  /** Grove as a multiple of the floor: with several rounds, the median of their ratios. */
  ratio?: number;
  /** The figures of other programs, by name. */
  others?: Record<string, number>;
  /** The target. `of` states whether it bounds the ratio or the figure itself. */
  aim?: { of: "ratio" | "grove"; atMost: number } | { of: "ratio"; atLeast: number };
}

export interface Report {
  /** The subject of the measurement, and its floor. */
  title: string;
  rows: Row[];
  notes: string[];
}

export interface Context {
  scope: Scope;
  /** How many interleaved rounds, if the caller has set it. */
  rounds: number | undefined;
  /** The minimum time of a flush of PostgreSQL's log, in milliseconds; undefined leaves it to the disk. */
  flushMs: number | undefined;
  progress(message: string): void;
}

export interface Benchmark {
  name: string;
  summary: string;
  run(context: Context): Promise<Report>;
}

export const meetsAim = ({ grove, ratio = Number.NaN, aim }: Row): boolean | undefined => {
  if (!aim) return undefined;
  if ("atLeast" in aim) return ratio >= aim.atLeast;
  return (aim.of === "ratio" ? ratio : grove) <= aim.atMost;
};
