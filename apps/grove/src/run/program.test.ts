import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { messageOf } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { UserError } from "../errors";
import { awaited, script } from "../testing/script";
import { exitWithParent, ProgramEnded, startProgram } from "./program";
import { whenAborted } from "./wait";

/** Runs forever. On SIGTERM, it writes a last word to a file and ends. */
const obedient = (file: string) => `
import { writeFileSync } from "node:fs";
process.on("SIGTERM", () => { writeFileSync(${JSON.stringify(file)}, "ended"); process.exit(0); });
setInterval(() => {}, 60_000);
console.log('{"level":30,"msg":"ready"}');
`;

const stubborn = `
process.on("SIGTERM", () => {});
setInterval(() => {}, 60_000);
console.log('{"level":30,"msg":"ready"}');
`;

async function start(source: string) {
  const made = await script(source);
  const ready = awaited();
  const program = startProgram({ ...made, env: {}, onRecord: () => ready.happened() });
  return { ...made, program, ready: ready.promise };
}

describe("startProgram", () => {
  it("reports a program's own words when it has ended", async () => {
    const { program, logPath } = await start(
      'console.log(\'{"level":30,"msg":"hello"}\'); console.error("Port 1 is taken."); process.exitCode = 1;',
    );
    const reason = await whenAborted(program.ended);
    expect(reason).toBeInstanceOf(UserError);
    expect(messageOf(reason)).toBe("Port 1 is taken.");
    expect(await readFile(logPath, "utf8")).toContain("hello");
  });

  it("reports how a silent program ended, and where its log is", async () => {
    const { program, path, logPath } = await start("process.exit(7)");
    expect(await whenAborted(program.ended)).toEqual(
      new ProgramEnded(`${path} ended with exit code 7. Its log is ${logPath}.`, 7),
    );
  });

  it("lets a stopped program end by itself", async () => {
    const made = await script("");
    const word = join(made.directory, "word");
    await writeFile(made.path, obedient(word));
    const ready = awaited();
    const program = startProgram({ ...made, env: {}, onRecord: () => ready.happened() });
    await ready.promise;
    await program.stop(20_000);
    expect(await readFile(word, "utf8")).toBe("ended");
    await program.stop(20_000);
  });

  it("kills a program that does not end in time", async () => {
    const { program, ready } = await start(stubborn);
    await ready;
    await program.stop(50);
    expect(messageOf(program.ended.reason)).toContain("was ended by SIGKILL");
  });
});

describe("exitWithParent", () => {
  it("ends a program whose launcher was killed", async () => {
    const { directory, path } = await script("");
    const word = join(directory, "word");
    await writeFile(path, obedient(word));
    const launcher = join(directory, "launcher.mjs");
    await writeFile(
      launcher,
      `import { spawn } from "node:child_process";
       spawn(process.execPath, ${JSON.stringify([...exitWithParent, path])}, { detached: true, stdio: ["ignore", "inherit", "inherit", "ipc"] });`,
    );
    const child = spawn(process.execPath, [launcher], { stdio: ["ignore", "pipe", "inherit"] });
    await once(createInterface({ input: child.stdout }), "line");
    child.kill("SIGKILL");
    await expect.poll(() => existsSync(word)).toBe(true);
  });

  it("does not keep a finished program alive", async () => {
    const { program } = await start("");
    expect(messageOf(await whenAborted(program.ended))).toContain("exit code 0");
  });
});
