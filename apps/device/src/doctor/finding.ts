import type { DoctorFinding } from "@grove/schemas";

/** One line of `grove-device doctor`. */
export type Finding = DoctorFinding;

/** Whether nothing keeps commands from working. */
export const isHealthy = (findings: readonly Finding[]): boolean =>
  findings.every(({ state }) => state !== "fail");

export const ok = (check: string, message: string): Finding => ({ check, state: "ok", message });
export const warn = (check: string, message: string, todo: string): Finding => ({
  check,
  state: "warn",
  message,
  todo,
});
export const fail = (check: string, message: string, todo: string): Finding => ({
  check,
  state: "fail",
  message,
  todo,
});
