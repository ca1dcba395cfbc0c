import * as z from "zod";

/** One line of `grove-api doctor` or `grove-device doctor`. `warn` needs attention; `fail` keeps Grove from working. */
export const doctorFinding = z.strictObject({
  check: z.string(),
  state: z.enum(["ok", "warn", "fail"]),
  /** The state that was found. */
  message: z.string(),
  /** The suggested next step. */
  todo: z.string().optional(),
});
export type DoctorFinding = z.infer<typeof doctorFinding>;

const withTodo =
  (state: "warn" | "fail") =>
  (check: string, message: string, todo: string): DoctorFinding => ({ check, state, message, todo });

/** Makes the findings of a doctor. */
export const finding = {
  ok: (check: string, message: string): DoctorFinding => ({ check, state: "ok", message }),
  warn: withTodo("warn"),
  fail: withTodo("fail"),
};

/** Whether no finding is a failure. */
export const isHealthy = (findings: readonly DoctorFinding[]): boolean =>
  findings.every(({ state }) => state !== "fail");
