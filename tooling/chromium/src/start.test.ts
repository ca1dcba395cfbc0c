import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { bundledChromium } from "./bundled";
import { startChromium } from "./index";
import { presentChromiums } from "./present.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each(presentChromiums())("answers on its port, and leaves nothing: %s", async (kind) => {
  const directory = await mkdtemp(join(tmpdir(), "grove-chromium-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  vi.stubEnv("TMPDIR", directory);
  const browser = await startChromium({ kind });
  const answer = await fetch(`${browser.url}/json/version`);
  expect(await answer.json()).toMatchObject({ "Protocol-Version": "1.3" });
  await browser.stop();
  await browser.stop();
  expect(alive(browser.pid)).toBe(false);
  expect(await readdir(directory)).toEqual([]);
  await expect(fetch(`${browser.url}/json/version`)).rejects.toThrow("fetch failed");
});

it("takes a port, again after it was killed", async () => {
  const first = await startChromium();
  process.kill(first.pid, "SIGKILL");
  await first.stop();
  const second = await startChromium({ port: first.port });
  onTestFinished(() => second.stop());
  expect(second.url).toBe(first.url);
});

it("starts several at once", async () => {
  const browsers = await Promise.all([startChromium(), startChromium()]);
  onTestFinished(async () => {
    await Promise.all(browsers.map((browser) => browser.stop()));
  });
  expect(new Set(browsers.map(({ port }) => port)).size).toBe(2);
});

it("shows what the program of CHROMIUM_PATH said when it does not start", async () => {
  vi.stubEnv("CHROMIUM_PATH", "/bin/ls");
  await expect(startChromium()).rejects.toThrow(/Chromium \(\/bin\/ls\) did not start\. .*\n.*ls:/);
});

it.runIf(process.platform === "linux" && process.arch === "x64")(
  "has a browser on a bare machine",
  async () => {
    const bundled = await bundledChromium();
    vi.stubEnv("CHROMIUM_PATH", bundled?.path);
    const browser = await startChromium();
    onTestFinished(() => browser.stop());
    expect((await fetch(`${browser.url}/json/version`)).ok).toBe(true);
  },
);

it.each(["SIGKILL", "SIGINT", "exit"] as const)("ends with the process that started it: %s", async (end) => {
  const script = `
    import { startChromium } from ${JSON.stringify(new URL("./start.ts", import.meta.url).href)};
    const { pid, profile } = await startChromium();
    console.log(JSON.stringify({ pid, profile }));
    ${end === "exit" ? "" : "setInterval(() => {}, 1000);"}`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const { pid, profile } = JSON.parse(String(line));
  expect(alive(pid)).toBe(true);
  expect(existsSync(profile)).toBe(true);
  if (end !== "exit") child.kill(end);
  await expect.poll(() => alive(pid), { timeout: 30_000 }).toBe(false);
  await expect.poll(() => existsSync(profile), { timeout: 30_000 }).toBe(false);
});
