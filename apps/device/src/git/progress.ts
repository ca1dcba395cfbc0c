export type Progress = (message: string, fraction?: number) => void;

/** Reports git's lines of the form `Receiving objects:  45% (450/1000), 1.2 MiB | …`. */
export function reportPercentage(line: string, progress: Progress): void {
  const [, what, percent] = /^(?:remote: )?([A-Z][a-z ]+):\s+(\d+)%/.exec(line) ?? [];
  if (what !== undefined && percent !== undefined) progress(`${what} ${percent}%`, Number(percent) / 100);
}
