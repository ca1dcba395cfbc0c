import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Started, startProgram } from "@grove/testing/process";
import { root } from "./blocks";

/** The programs that npm puts on the PATH, and where the clone builds them. */
export const programs = {
  grove: "apps/grove/dist/main.js",
  "grove-api": "apps/api/dist/main.js",
  "grove-device": "apps/device/dist/main.js",
  "grove-mcp-cloud": "apps/mcp-cloud/dist/main.js",
  "grove-mcp-desktop": "apps/mcp-desktop/dist/main.js",
};

/** A terminal into which a reader pastes commands, one after another. */
export interface Shell {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /**
   * Runs a command to its end; `export` and `cd` hold for the next one.
   * @returns its output
   * @throws {Error} with its output when it fails
   */
  paste(command: string): Promise<string>;
  /**
   * Runs a command that stays in the foreground. Once its output contains `words`, calls `during`, then presses
   * Ctrl+C.
   * @returns its output
   */
  watch(
    command: string,
    words: string | RegExp,
    during?: (line: string, program: Started) => unknown,
  ): Promise<string>;
}

/** Opens a terminal on a machine, in its home, with our programs on the PATH. */
export async function openShell(machine: { root: string; env: NodeJS.ProcessEnv }): Promise<Shell> {
  const bin = join(machine.root, "bin");
  await mkdir(bin, { recursive: true });
  for (const [name, path] of Object.entries(programs))
    await symlink(join(root, path), join(bin, name)).catch(() => undefined);
  // AGENTS.md and CONTRIBUTING.md run pnpm this way.
  await writeFile(join(bin, "pnpm"), '#!/bin/sh\nexec npx --yes pnpm@12.21.0 "$@"\n');
  await chmod(join(bin, "pnpm"), 0o755);
  const after = join(machine.root, "after");
  // A command leaves these to the next one.
  const leave = `env -0 >'${after}.env' && pwd >'${after}.cwd'`;
  const shell: Shell = {
    env: { ...machine.env, PATH: `${bin}:${machine.env.PATH}` },
    cwd: machine.env.HOME ?? machine.root,
    async paste(command) {
      const script = `${command}\nstatus=$?\n${leave}\nexit $status`;
      const { code, stdout, stderr } = await startProgram(["sh", "-c", script], this).ended;
      if (code !== 0) throw new Error(`${command}\nended with ${code}:\n${stdout}${stderr}`);
      const variables = (await readFile(`${after}.env`, "utf8")).split("\0").filter(Boolean);
      this.env = Object.fromEntries(variables.map((each) => each.split(/=(.*)/s).slice(0, 2)));
      this.cwd = (await readFile(`${after}.cwd`, "utf8")).trim();
      return stdout;
    },
    async watch(command, words, during) {
      const program = startProgram(["sh", "-c", command], { ...this, detached: true });
      try {
        const line = await program.waitForLine(words);
        await during?.(line, program);
      } finally {
        if (program.running) process.kill(-program.pid, "SIGINT");
      }
      const { stdout, stderr } = await program.ended;
      return stderr + stdout;
    },
  };
  return shell;
}
