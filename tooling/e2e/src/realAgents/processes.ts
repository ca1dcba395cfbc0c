import { readdirSync, readFileSync } from "node:fs";

/** The arguments of all processes of a session, from Linux's `/proc`. */
export const argumentsOfSession = (sessionId: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readProc(pid, "environ").includes(`GROVE_SESSION_ID=${sessionId}`))
    .flatMap((pid) => readProc(pid, "cmdline"));

/** Returns nothing for a process that has ended. */
function readProc(pid: string, file: "environ" | "cmdline"): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
  } catch {
    return [];
  }
}
