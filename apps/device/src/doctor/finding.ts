/** One line of `grove-device doctor`. */
export interface Finding {
  check: string;
  /** `warn` is worth a look; `fail` keeps commands from working. */
  state: "ok" | "warn" | "fail";
  /** The state that was found. */
  message: string;
  /** The suggested next step. */
  todo?: string;
}

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
