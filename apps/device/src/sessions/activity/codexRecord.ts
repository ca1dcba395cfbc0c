import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { validLimitEnd } from "./limitEnd";
import { followRecordFile, type RecordDeps, type RecordedState } from "./recordFile";

const meta = z.object({ type: z.literal("session_meta"), payload: z.object({ cwd: z.string() }) });
const event = z.object({ type: z.literal("event_msg"), payload: z.looseObject({ type: z.string() }) });
/** A window of the usage limits. `resets_at` is in seconds since 1970. */
const window = z.object({ used_percent: z.number(), resets_at: z.number() }).nullish().catch(undefined);
const rateLimits = z.object({ rate_limits: z.object({ primary: window, secondary: window }) });

const STATES: Readonly<Record<string, RecordedState>> = {
  task_started: "working",
  task_complete: "done",
  turn_aborted: "idle",
};

/**
 * Follows the record that Codex writes of its session (`$CODEX_HOME/sessions/Y/M/D/rollout-*.jsonl`). A turn that ends
 * while a usage limit is used up was ended by that limit.
 * @returns a function that ends this
 */
export function followCodexRecord({ cwd, env, onState }: RecordDeps): () => void {
  const { CODEX_HOME, HOME = homedir() } = env;
  const directoryOf = (day: Date) =>
    join(
      CODEX_HOME ?? join(HOME, ".codex"),
      "sessions",
      ...[day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")),
    );
  let limitedUntil: number | undefined;
  return followRecordFile({
    // A session that starts before midnight may begin its record after midnight.
    directories: (startedAt) => [...new Set([startedAt, Date.now()].map((at) => directoryOf(new Date(at))))],
    fileName: /^rollout-.*\.jsonl$/,
    isOwn: (firstLine) => meta.safeParse(firstLine).data?.payload.cwd === cwd,
    onLine: (line) => {
      const { payload } = event.safeParse(line).data ?? {};
      if (payload?.type === "token_count") limitedUntil = exhaustedUntil(payload);
      const state = STATES[payload?.type ?? ""];
      if (!state) return;
      if (state !== "working" && limitedUntil !== undefined) onState("limited", limitedUntil);
      else onState(state);
    },
  });
}

/** When the limits that are used up end, if any is. */
function exhaustedUntil(payload: unknown): number | undefined {
  const { primary, secondary } = rateLimits.safeParse(payload).data?.rate_limits ?? {};
  const ends = [primary, secondary].flatMap((limit) =>
    limit && limit.used_percent >= 100 ? (validLimitEnd(limit.resets_at * 1_000) ?? []) : [],
  );
  return ends.length > 0 ? Math.max(...ends) : undefined;
}
