import type { AgentRequest } from "@grove/schemas";

const HOUR_MS = 3_600_000;
/** The hours of the day, in the user's time zone. */
const EVENING = 18;
const MORNING = 9;

export interface SnoozeTime {
  title: string;
  until: Date;
}

/** The times until which a request can be snoozed, soonest first. None is after the request expires. */
export function snoozeTimes({ expiresAt }: Pick<AgentRequest, "expiresAt">, now: Date): SnoozeTime[] {
  const inHours = (hours: number) => new Date(now.getTime() + hours * HOUR_MS);
  const at = (hour: number, daysLater = 0) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysLater, hour);
  const all = [
    { title: "For an hour", until: inHours(1) },
    { title: "For 3 hours", until: inHours(3) },
    { title: "Until this evening", until: at(EVENING) },
    { title: "Until tomorrow morning", until: at(MORNING, 1) },
  ];
  const [soonest] = all;
  return all
    .filter((time) => time === soonest || (time.until > inHours(1) && time.until.toISOString() < expiresAt))
    .toSorted((a, b) => a.until.getTime() - b.until.getTime());
}
