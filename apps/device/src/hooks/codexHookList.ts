import { spawn } from "node:child_process";
import { timeoutSignal } from "@grove/signals";
import * as z from "zod";

/** A hook as Codex lists it. Codex runs it if it is trusted under this key with this hash. */
export interface CodexHook {
  key: string;
  currentHash: string;
}

/** Codex itself answers within a second; its first start on a busy machine takes longer. */
const LIST_MS = 5_000;
const MAX_OUTPUT_LENGTH = 4 * 1024 * 1024;
const LIST_ID = 2;

const listed = z.object({
  id: z.literal(LIST_ID),
  result: z.object({
    data: z
      .array(
        z.object({
          hooks: z.array(
            z.object({
              key: z.string().max(1_000),
              currentHash: z.string().max(200),
              source: z.string(),
              command: z.string().nullish(),
              enabled: z.boolean(),
            }),
          ),
        }),
      )
      .min(1),
  }),
});

interface Listing {
  file: string;
  /** The settings that add the hooks, each for one `-c`. */
  settings: readonly string[];
  /** The command of the hooks to return. */
  command: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

/**
 * Asks Codex for the hashes of the hooks that its command line adds, by `hooks/list` of its app server.
 * @throws {Error} if Codex cannot be started, or does not answer in time
 */
export async function listCodexHooks(listing: Listing): Promise<CodexHook[]> {
  const { file, settings, command, cwd, env, timeoutMs = LIST_MS } = listing;
  const args = ["app-server", ...settings.flatMap((setting) => ["-c", setting])];
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "ignore"] });
  const messages = [
    { id: 1, method: "initialize", params: { clientInfo: { name: "grove", title: "Grove", version: "1" } } },
    { method: "initialized" },
    { id: LIST_ID, method: "hooks/list", params: { cwds: [cwd] } },
  ];
  child.stdin.on("error", () => {});
  // The stdin stays open: at its end, the app server exits, even before it has answered.
  child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  try {
    const [directory] = (await answerOf(child, timeoutMs)).result.data;
    return (directory?.hooks ?? []).filter(
      (hook) => hook.source === "sessionFlags" && hook.enabled && hook.command === command,
    );
  } finally {
    endGroup(child.pid);
  }
}

/** Returns the first line that is a response to `hooks/list`. */
function answerOf(child: ReturnType<typeof spawn>, timeoutMs: number) {
  return new Promise<z.infer<typeof listed>>((resolve, reject) => {
    let received = "";
    timeoutSignal(timeoutMs).addEventListener("abort", () =>
      reject(new Error(`codex app-server did not list its hooks within ${timeoutMs} ms`)),
    );
    child.on("error", reject);
    child.on("close", (code) => reject(new Error(`codex app-server ended with code ${code}`)));
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      received += text;
      if (received.length > MAX_OUTPUT_LENGTH) reject(new Error("codex app-server printed too much"));
      const lines = received.split("\n");
      received = lines.pop() ?? "";
      for (const line of lines) {
        const message = parsed(line);
        const list = listed.safeParse(message);
        if (list.success) resolve(list.data);
        else if (isListError(message))
          reject(new Error(`codex app-server refused hooks/list: ${line.slice(0, 500)}`));
      }
    });
  });
}

const isListError = (message: unknown) => z.object({ id: z.literal(LIST_ID) }).safeParse(message).success;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The npm package's program starts another. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The program has ended.
  }
}
