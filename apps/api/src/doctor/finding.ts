import type { DoctorFinding } from "@grove/schemas";

/** One line of `grove-api doctor`. */
export type Finding = DoctorFinding;

/** Whether nothing keeps the service from working. */
export const isHealthy = (findings: readonly Finding[]): boolean =>
  findings.every(({ state }) => state !== "fail");

const finding =
  (state: Finding["state"]) =>
  (check: string, message: string, todo: string): Finding => ({ check, state, message, todo });

export const ok = (check: string, message: string): Finding => ({ check, state: "ok", message });
export const warn = finding("warn");
export const fail = finding("fail");
