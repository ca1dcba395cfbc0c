import type { AgentSession } from "@grove/schemas";
import { waitsForInput } from "../lib/agentSessions/sessionActivity";

/** Labels of the states by which sessions are filtered, in their order on the page. */
export const stateNames = { waiting: "Needs input", running: "Running", ended: "Ended" };

type StateFilter = keyof typeof stateNames;

const isState = (value: unknown): value is StateFilter =>
  typeof value === "string" && Object.hasOwn(stateNames, value);

export interface SessionFilter {
  state?: StateFilter;
  agent?: string;
  /** The device's id. */
  device?: string;
}

const DEVICE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the filter from the query string. Drops values that the API would reject. */
export const readFilter = ({
  state,
  agent,
  device,
}: { [key in keyof SessionFilter]: unknown }): SessionFilter => ({
  ...(isState(state) && { state }),
  ...(typeof agent === "string" && agent !== "" && { agent }),
  ...(typeof device === "string" && DEVICE_ID.test(device) && { device }),
});

const stateOf = (session: AgentSession): StateFilter => {
  if (session.status !== "running") return "ended";
  return waitsForInput(session) ? "waiting" : "running";
};

/** Returns the sessions that pass the filter. */
export const filterSessions = (
  sessions: readonly AgentSession[],
  { state, agent, device }: SessionFilter,
): AgentSession[] =>
  sessions.filter(
    (session) =>
      (state === undefined || state === stateOf(session)) &&
      (agent === undefined || agent === session.agent) &&
      (device === undefined || device === session.deviceId),
  );
