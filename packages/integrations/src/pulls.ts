import type { BlockCode, CheckState, PullBlock, PullCheck } from "@grove/schemas";
import { providerErrorIn } from "./errors";
import type { LogTail } from "./network/logTail";
import type { CheckedPull, CheckLogOutcome, MergeOutcome } from "./ports";

/** The most urgent first. */
const order: CheckState[] = ["failed", "unknown", "running", "passed", "skipped"];

/** Sorts checks: the most urgent first, and among them the required ones. */
export const sortChecks = (checks: PullCheck[]): PullCheck[] =>
  checks.toSorted(
    (a, b) =>
      order.indexOf(a.state) - order.indexOf(b.state) ||
      Number(b.required) - Number(a.required) ||
      (a.name < b.name ? -1 : 1),
  );

const codes: Partial<Record<CheckState, BlockCode>> = {
  failed: "checks_failed",
  running: "checks_running",
  unknown: "provider",
};

/** The blocks of checks that are required, and of those whose state is not known. */
export function checkBlocks(checks: PullCheck[]): PullBlock[] {
  return checks.flatMap(({ name, state, word, required }) => {
    const code = required || state === "unknown" ? codes[state] : undefined;
    return code === undefined ? [] : [{ code, detail: state === "unknown" ? `${name}: ${word}` : name }];
  });
}

/** Adds the end of a pull request, or a check of the provider's that is not finished, to what blocks it. */
export function withState({ pull, mergeable, blocks, ...rest }: CheckedPull): CheckedPull {
  const isEnded = pull.state === "merged" || pull.state === "closed";
  if (isEnded) return { ...rest, pull, mergeable: "no", blocks: [{ code: "closed", detail: pull.state }] };
  if (mergeable === "checking")
    return { ...rest, pull, mergeable, blocks: [...blocks, { code: "checking", detail: "" }] };
  return { ...rest, pull, blocks, mergeable: blocks.length > 0 && mergeable === "yes" ? "no" : mergeable };
}

/** The outcome of a merge that a provider answers with these statuses instead of with success. */
export function outcomeOf(cause: unknown): MergeOutcome {
  const error = providerErrorIn(cause);
  if (error?.status === 409) return { outcome: "head_moved" };
  if (error && [400, 405, 422].includes(error.status ?? 0))
    return { outcome: "refused", detail: error.detail ?? `status ${error.status}` };
  throw cause;
}

/** The outcome of reading a log. It may be missing or empty, or too long, for which `read` returns undefined. */
export async function outcomeOfLog(read: () => Promise<LogTail | undefined>): Promise<CheckLogOutcome> {
  try {
    const log = await read();
    if (log === undefined) return { outcome: "log_elsewhere" };
    return log.text.trim() === "" ? { outcome: "log_gone" } : { outcome: "read", log };
  } catch (cause) {
    if (providerErrorIn(cause)?.failure === "not_found") return { outcome: "log_gone" };
    throw cause;
  }
}

/** The code host's terms for a check that ran and failed. Other terms that count as failed need a person's action. */
const failures = ["failure", "error", "timed_out", "failed"];

/** Whether a check ran and failed, and was not canceled or left to a person. */
export const hasRunAndFailed = ({ state, word }: PullCheck): boolean =>
  state === "failed" && failures.includes(word);
