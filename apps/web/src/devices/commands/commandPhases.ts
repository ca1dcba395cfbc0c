import type { Command } from "@grove/schemas";

/** A phase of a command: queued, being sent, or running. */
export interface Phase {
  title: string;
  ms: number;
}

type Times = Pick<Command, "createdAt" | "claimedAt" | "startedAt" | "finishedAt">;

/** Returns the durations of the phases that a command has reached. */
export function phasesOf({ createdAt, claimedAt, startedAt, finishedAt }: Times, now: number): Phase[] {
  const end = finishedAt ?? new Date(now).toISOString();
  const phase = (title: string, from: string | null, to: string | null): Phase[] =>
    from === null ? [] : [{ title, ms: Math.max(0, Date.parse(to ?? end) - Date.parse(from)) }];
  return [
    ...phase("Waited", createdAt, claimedAt ?? startedAt),
    ...phase("Sending", claimedAt, startedAt),
    ...phase("Ran", startedAt, null),
  ];
}

/** Formats a duration: "250 ms", "1.5 s", "3 min 4 s", "2 h 5 min". */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
