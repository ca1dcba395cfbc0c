import { expect, it, onTestFinished } from "vitest";
import { isRunning, runProgram, startProgram } from "./process";
import { temporaryDirectory } from "./temporaryDirectory";
import { until } from "./until";

const env = { PATH: process.env.PATH };
const node = (script: string) => [process.execPath, "-e", script];

it("runs a program to its end, and returns its output", async () => {
  const cwd = await temporaryDirectory();
  const script =
    "console.log(process.cwd()); console.error(Object.keys(process.env).join()); process.exit(3)";
  const { code, stdout, stderr } = await runProgram(node(script), { env, cwd });
  expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: `${cwd}\n`, stderr: "PATH\n" });
});

it("waits for a line, and ends the program", async () => {
  const script = `console.log("one"); console.error("two"); setInterval(() => {}, 1_000)`;
  const started = startProgram(node(script), { env, endAfter: onTestFinished });
  expect(await started.waitForLine("tw")).toBe("two");
  expect(await started.waitForLine(/^o/)).toBe("one");
  expect([started.running, isRunning(started.pid)]).toEqual([true, true]);
  expect(await started.end("SIGTERM")).toBe(null);
  expect([started.running, isRunning(started.pid)]).toEqual([false, false]);
  expect(await started.end()).toBe(null);
  expect(await started.ended).toEqual({ code: null, signal: "SIGTERM", stdout: "one\n", stderr: "two\n" });
});

it("reports a program that ends without the line, and one that cannot be run", async () => {
  await expect(startProgram(node(`console.log("one")`), { env }).waitForLine("two")).rejects.toThrow(
    /two:\none\n/,
  );
  await expect(runProgram(["/no/such/program"], { env })).rejects.toThrow("ENOENT");
});

it("waits for a state, and names the state if it times out", async () => {
  let looks = 0;
  await until(async () => ++looks > 2);
  expect(looks).toBe(3);
  await expect(until(() => looks < 0, "it is negative", 1)).rejects.toThrow("until it is negative.");
  await expect(until(() => looks < 0, undefined, 1)).rejects.toThrow("until () => looks < 0.");
});
