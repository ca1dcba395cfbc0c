import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { afterEach, expect, inject, it, onTestFinished, vi } from "vitest";
import { isRunning } from "../process";
import { temporaryDirectory } from "../temporaryDirectory";
import { startChromium } from "./index";

const kind = inject("browser");

afterEach(() => {
  vi.unstubAllEnvs();
});

it("answers on its port, and leaves nothing behind", async () => {
  const directory = await temporaryDirectory();
  vi.stubEnv("TMPDIR", directory);
  const browser = await startChromium({ kind });
  const answer = await fetch(`${browser.url}/json/version`);
  expect(await answer.json()).toMatchObject({ "Protocol-Version": "1.3" });
  await browser.stop();
  await browser.stop();
  expect(isRunning(browser.pid)).toBe(false);
  expect(await readdir(directory)).toEqual([]);
  await expect(fetch(`${browser.url}/json/version`)).rejects.toThrow("fetch failed");
});

it("uses the given port, also after a kill", async () => {
  const first = await startChromium({ kind });
  process.kill(first.pid, "SIGKILL");
  await first.stop();
  const second = await startChromium({ kind, port: first.port });
  onTestFinished(() => second.stop());
  expect(second.url).toBe(first.url);
});

it("starts several together", async () => {
  const browsers = await Promise.all([startChromium({ kind }), startChromium({ kind })]);
  onTestFinished(async () => {
    await Promise.all(browsers.map((browser) => browser.stop()));
  });
  expect(new Set(browsers.map(({ port }) => port)).size).toBe(2);
});

it.each(["SIGKILL", "SIGINT", "exit"] as const)("ends with the process that started it: %s", async (end) => {
  const script = `
    import { startChromium } from ${JSON.stringify(new URL("./start.ts", import.meta.url).href)};
    const { pid, profile } = await startChromium({ kind: ${JSON.stringify(kind)} });
    console.log(JSON.stringify({ pid, profile }));
    // Once this ends, nothing but the browser is left.
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const { pid, profile } = JSON.parse(String(line));
  expect(isRunning(pid)).toBe(true);
  expect(existsSync(profile)).toBe(true);
  if (end === "exit") child.stdin.end();
  else child.kill(end);
  await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
  await expect.poll(() => existsSync(profile), { timeout: 30_000 }).toBe(false);
});
