import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { runProgram } from "./program";

const sh = (script: string, options: Partial<Parameters<typeof runProgram>[2]> = {}) =>
  runProgram("sh", ["-c", script], { env: process.env, ...options });

it("returns exit code and output, and reports the lines of stderr as they arrive", async () => {
  const lines: string[] = [];
  const script = `printf out; printf '10%%\\r20%%\\ndone\\n' >&2; exit 3`;
  const result = await sh(script, { onErrorLine: (line) => lines.push(line) });
  expect(result).toMatchObject({ code: 3, stdout: "out" });
  expect(lines).toEqual(["10%", "20%", "done"]);
});

it("a missing program is an error, not a crash", async () => {
  await expect(runProgram("no-such-program", [], { env: process.env })).rejects.toThrow("ENOENT");
});

it("an abort ends the program and everything it started, even processes that ignore TERM", async () => {
  const pids = join(await temporaryDirectory(), "pids");
  const abort = new AbortController();
  const script = `trap '' TERM; sh -c 'trap "" TERM; echo $$ >> "$1"; while :; do sleep 0.05; done' x "$1" & echo $$ >> "$1"; wait`;
  const running = runProgram("sh", ["-c", script, "sh", pids], {
    env: process.env,
    signal: abort.signal,
    graceMs: 50,
  });
  const read = async () => (await readFile(pids, "utf8").catch(() => "")).trim().split("\n").filter(Boolean);
  await until(async () => (await read()).length === 2);
  abort.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  for (const pid of await read()) await until(() => !isRunning(Number(pid)));
});

it("a background process that keeps the pipes open does not block the caller", async () => {
  const { stdout } = await sh("sleep 60 & echo $!");
  process.kill(Number(stdout));
});

it("output for people is forwarded line by line, and only the end of long output is kept", async () => {
  const lines: string[] = [];
  const script = `printf 'one\\n'; yes "$(printf '%01000d' 0)" | head -c 20000000; printf '\\ntwo' >&2; exit 3`;
  const options = { stdoutAsStderr: true, onErrorLine: (line: string) => lines.push(line) };
  const { code, stdout, stderr } = await sh(script, options);
  expect([code, stdout, lines[0], lines.at(-1)]).toEqual([3, "", "one", "two"]);
  expect(stderr).toHaveLength(16 * 1024);
});

it("endless output is cut off", async () => {
  await expect(sh("yes")).rejects.toThrow(/more than \d+ bytes/);
});

it("nothing is started if the signal is already aborted", async () => {
  await expect(sh("exit 0", { signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow(
    "too late",
  );
});
