import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ToolError } from "@grove/mcp";
import { browserSupervisor } from "./browserSupervisor";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "msedge"];
const elsewhere = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** Timeout for the debugging port. */
const TIMEOUT_MS = 20_000;

export interface LaunchOptions {
  /** The browser's program; by default one of this machine. */
  readonly chromiumPath: string | undefined;
  /** The value of PATH, to search it for a browser. */
  readonly searchPath: string;
  readonly headless: boolean;
}

/**
 * Returns a function that starts one of this machine's Chromiums for experiments. Later calls share the running
 * browser, and start it again after it was closed. The browser ends with this process.
 */
export function launcher(options: LaunchOptions): () => Promise<string> {
  let running: Promise<string> | undefined;
  return () => {
    running ??= start(options, () => {
      running = undefined;
    }).catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}

async function start(options: LaunchOptions, onExit: () => void): Promise<string> {
  const program = options.chromiumPath ?? findChromium(options.searchPath);
  if (program === undefined)
    throw new ToolError(
      "no_browser",
      "There is no Chromium or Chrome on this machine",
      "Install one, or name it in CHROMIUM_PATH.",
    );
  const profile = mkdtempSync(join(tmpdir(), "grove-desktop-"));
  const browser = [program, ...switches(options.headless), `--user-data-dir=${profile}`, "about:blank"];
  const child = spawn(process.execPath, ["-e", browserSupervisor, profile, ...browser], {
    // A terminal's Ctrl+C must not reach the supervisor, which removes the profile first.
    detached: true,
    windowsHide: true,
  });
  child.stdin.on("error", () => undefined);
  child.stdout.once("data", onExit);
  child.once("exit", onExit);
  const address = await addressOf(child, program);
  // The browser does not keep this process running; it ends with it.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr])
    if (stream instanceof Socket) stream.unref();
  return address;
}

const switches = (headless: boolean): string[] => [
  "--remote-debugging-port=0",
  "--remote-debugging-pipe",
  "--no-first-run",
  "--no-default-browser-check",
  // Behave like an app: open windows without a click, keep background windows running, ask no key chain for a password.
  "--disable-popup-blocking",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  "--password-store=basic",
  "--use-mock-keychain",
  ...(headless ? ["--headless"] : []),
  // Chromium refuses to run as root with a sandbox.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
];

/** `http://127.0.0.1:<port>`, which a Chromium prints when it listens. */
function addressOf(child: ChildProcessWithoutNullStreams, program: string): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.stdin.end();
      const lastLine = output.trim().split("\n").at(-1) ?? "";
      reject(
        new ToolError(
          "not_launched",
          `${program} did not start (${why}${lastLine && `: ${lastLine.slice(0, 200)}`})`,
          "Try another with CHROMIUM_PATH, or --headless where there is no screen.",
        ),
      );
    };
    const timer = setTimeout(() => fail("no debugging port in time"), TIMEOUT_MS);
    child.once("error", (error) => fail(error.message));
    // Not "exit": its output may be incomplete by then.
    child.once("close", (code) => fail(`exit code ${code}`));
    child.stderr.on("data", (chunk) => {
      output = (output + chunk).slice(-4_000);
      const [, port] = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? [];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(`http://127.0.0.1:${port}`);
    });
  });
}

function findChromium(searchPath: string): string | undefined {
  const inPath = searchPath
    .split(delimiter)
    .filter((directory) => directory !== "")
    .flatMap((directory) => names.map((name) => join(directory, name)));
  return [...inPath, ...elsewhere].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
