import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** The data that the scripted agent saves about its process. */
interface AgentProcess {
  args: string[];
  env: Record<string, string>;
}

/** How a hook ended, and what it printed. */
interface Ended {
  ms: number;
  output: string;
}

/** Runs a command as Claude Code runs hooks: in a shell, with the event on stdin. */
export async function runHook(command: string, env: NodeJS.ProcessEnv, input: object): Promise<Ended> {
  const began = performance.now();
  const child = spawn("/bin/sh", ["-c", command], { env, stdio: ["pipe", "pipe", "ignore"] });
  // A program that does not read its stdin may end before all is written.
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(input));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ended with ${code}.`);
  return { ms: performance.now() - began, output };
}

export type RunHook = (event: string, input?: object) => Promise<Ended>;

/** Returns a function that runs the hook of an event, with the command that Grove has given to this agent. */
export function hooksOf({ args, env }: AgentProcess): RunHook {
  const { hooks } = JSON.parse(readFileSync(args[args.indexOf("--settings") + 1] ?? "", "utf8"));
  return (event, input = {}) =>
    runHook(hooks[event][0].hooks[0].command, env, {
      session_id: "bench",
      transcript_path: "/nowhere",
      cwd: env.PWD,
      hook_event_name: event,
      ...input,
    });
}
