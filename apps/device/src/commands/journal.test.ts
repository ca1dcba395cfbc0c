import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  appendFile,
  copyFile,
  type FileHandle,
  open as openFile,
  readFile,
  rename,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { protocol } from "@grove/schemas";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { failingDisk } from "../testing/failingDisk";
import { silent } from "../testing/log";
import { startScript, typescript } from "../testing/process";
import { Journal } from "./journal";

const open = (path: string) => Journal.open(path, silent);
const emptyFile = async () => join(await temporaryDirectory(), "journal.jsonl");

it("begins, notes and outcomes survive reopening, under the same id", async () => {
  const path = await emptyFile();
  const first = await open(path);
  const [running, done, confirmed] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [running, done, confirmed]) await first.begin(id, "create_workspace");
  await first.note(running, { path: "/a" });
  await first.finish(done, { result: { workspaces: [] } });
  await first.finish(confirmed, { error: { reason: "x", message: "y" } });
  first.confirm([confirmed, randomUUID()]);
  await first.close();

  const second = await open(path);
  expect(second.id).toBe(first.id);
  expect(second.all()).toEqual([
    { id: running, tool: "create_workspace", notes: [{ path: "/a" }] },
    { id: done, tool: "create_workspace", notes: [], outcome: { result: { workspaces: [] } } },
  ]);
  expect(second.get(confirmed)).toBeUndefined();
  await second.close();
});

it("what a command shows of files or a screen is never on disk, whether appended or rewritten", async () => {
  const path = await emptyFile();
  const journal = await open(path);
  const [shows, makes] = [randomUUID(), randomUUID()];
  await journal.begin(shows, "get_workspace_diff");
  await journal.begin(makes, "create_workspace");
  const outcome = { result: { files: ["+ a password"] } };
  await journal.finish(shows, outcome);
  await journal.finish(makes, { result: { made: makes } });
  expect(journal.get(shows)?.outcome).toEqual(outcome);
  // A file that cannot be written to is rewritten as a whole.
  const repair = await failingDisk("write", () => true);
  await expect(journal.begin(randomUUID(), "list_projects")).rejects.toThrow("EIO");
  repair();
  await journal.begin(randomUUID(), "list_projects");
  await journal.close();
  const written = await readFile(path, "utf8");
  expect(written).not.toContain("a password");
  expect(written).toContain(`"made":"${makes}"`);

  // After a crash the command counts as interrupted, and can be run again.
  const next = await open(path);
  expect(next.get(shows)).toEqual({ id: shows, tool: "get_workspace_diff", notes: [] });
  await next.close();
});

it("concurrent begins are all on disk when they resolve", async () => {
  const path = await emptyFile();
  const journal = await open(path);
  const ids = Array.from({ length: 300 }, () => randomUUID());
  await Promise.all(ids.map((id) => journal.begin(id, "list_projects")));
  const content = await readFile(path, "utf8");
  for (const id of ids) expect(content).toContain(id);
  await journal.close();
});

it.each([
  ["begun and killed", "hang"],
  ["finished and killed", "finish"],
])("kill -9: nothing that was acknowledged is lost (%s)", async (_, what) => {
  const path = await emptyFile();
  const { program, lines } = startScript(new URL("../testing/journalWriter.ts", import.meta.url), [
    path,
    what,
  ]);
  const seen: string[] = [];
  for (let n = 0; n < 40; n++) seen.push((await lines.next()).value ?? "");
  await program.end();
  for (let line = await lines.next(); !line.done; line = await lines.next()) seen.push(line.value);

  const journal = await open(path);
  for (const line of seen) {
    const [state, id = ""] = line.split(" ");
    expect(journal.get(id)).toBeDefined();
    if (state === "finished") expect(journal.get(id)?.outcome).toEqual({ result: { made: id } });
  }
  await journal.close();
});

it.each([1, 20, "all but one byte", "its newline and all"])(
  "a torn last line is dropped, and what is written next is readable (%s lost)",
  async (lost) => {
    const path = await emptyFile();
    const first = await open(path);
    const [kept, torn, next] = [randomUUID(), randomUUID(), randomUUID()];
    await first.begin(kept, "list_projects");
    const before = (await stat(path)).size;
    await first.begin(torn, "list_projects");
    await first.close();
    const full = (await stat(path)).size;
    const left = typeof lost === "number" ? full - lost : lost === "all but one byte" ? before + 1 : before;
    await truncate(path, left);

    const second = await open(path);
    expect(second.id).toBe(first.id);
    expect(second.all().map(({ id }) => id)).toEqual([kept]);
    await second.begin(next, "list_projects");
    await second.close();
    const third = await open(path);
    expect(third.all().map(({ id }) => id)).toEqual([kept, next]);
    await third.close();
  },
);

it("zeros that a power cut left at the end do not count as damage", async () => {
  const path = await emptyFile();
  const first = await open(path);
  await first.begin(randomUUID(), "list_projects");
  await first.close();
  await appendFile(path, Buffer.alloc(100));
  const second = await open(path);
  expect(second.id).toBe(first.id);
  expect(second.all()).toHaveLength(1);
  await second.close();
});

it.each(["copied", "damaged"])("a %s journal does not pass for the original", async (how) => {
  const path = await emptyFile();
  const first = await open(path);
  await first.begin(randomUUID(), "list_projects");
  await first.close();
  if (how === "copied") {
    await copyFile(path, `${path}.backup`);
    await rename(`${path}.backup`, path);
  } else {
    await appendFile(path, "what?\n{}\n");
  }
  const second = await open(path);
  expect(second.id).not.toBe(first.id);
  expect(second.all()).toEqual([]);
  await second.close();
  const third = await open(path);
  expect(third.id).toBe(second.id);
  await third.close();
});

it("the file stays bounded for any number of commands, and loses no open one", async () => {
  const path = await emptyFile();
  const journal = await open(path);
  const open1 = randomUUID();
  await journal.begin(open1, "create_workspace");
  const filler = "x".repeat(2_000);
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        const id = randomUUID();
        await journal.begin(id, "list_projects");
        await journal.finish(id, { result: filler });
        journal.confirm([id]);
      }),
    );
  }
  expect((await stat(path)).size).toBeLessThan(1024 * 1024);
  await journal.close();
  const again = await open(path);
  expect(again.all().map(({ id }) => id)).toEqual([open1]);
  await again.close();
});

it("on a full disk begin fails, and earlier records survive", async () => {
  const path = await emptyFile();
  // A limit on the file's size (in blocks of 512 bytes) makes the write incomplete, as a full disk does.
  const script = fileURLToPath(new URL("../testing/journalWriter.ts", import.meta.url));
  const command = `ulimit -f 8; exec "$0" "$@" finish`;
  // The limit would also apply to tsx's own cache files.
  const env = { ...process.env, TSX_DISABLE_CACHE: "1" };
  const child = spawn("sh", ["-c", command, process.execPath, ...typescript, script, path], { env });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const lines = output.trim().split("\n");
  expect(lines.at(-1)).toMatch(/^failed \S+ (ENOSPC|EFBIG)$/);

  const journal = await open(path);
  for (const line of lines.slice(0, -1)) expect(journal.get(line.split(" ")[1] ?? "")).toBeDefined();
  await journal.close();
});

it("an outcome that the API confirms immediately is never written, and its command is still forgotten", async () => {
  const path = await emptyFile();
  const journal = await open(path);
  const id = randomUUID();
  await journal.begin(id, "list_projects");
  const finished = journal.finish(id, { result: "an outcome" });
  expect(journal.get(id)?.outcome).toEqual({ result: "an outcome" });
  journal.confirm([id]);
  await finished;
  await journal.close();
  expect(await readFile(path, "utf8")).not.toContain("an outcome");
  const again = await open(path);
  expect(again.all()).toEqual([]);
  await again.close();
});

it("any sequence of steps reads back as its result", async () => {
  const path = await emptyFile();
  const ids = Array.from({ length: 5 }, () => randomUUID());
  const step = fc.record({
    what: fc.constantFrom("begin", "note", "finish", "confirm", "reopen"),
    id: fc.constantFrom(...ids),
    value: fc.jsonValue(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      let journal = await open(path);
      journal.confirm(ids);
      const model = new Map<string, { notes: unknown[]; result?: unknown }>();
      for (const { what, id, value } of steps) {
        if (what === "reopen") {
          await journal.close();
          journal = await open(path);
        } else if (what === "begin" && !model.has(id)) {
          await journal.begin(id, "list_projects");
          model.set(id, { notes: [] });
        } else if (what === "note") {
          await journal.note(id, value);
          model.get(id)?.notes.push(value);
        } else if (what === "finish") {
          await journal.finish(id, { result: value });
          const entry = model.get(id);
          if (entry) entry.result = value;
        } else if (what === "confirm") {
          journal.confirm([id]);
          model.delete(id);
        }
      }
      await journal.close();
      journal = await open(path);
      const read = journal.all().map(({ id, notes, outcome }) => [id, { notes, ...outcome }]);
      expect(Object.fromEntries(read)).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(model))));
      await journal.close();
    }),
    { numRuns: 40 },
  );
});

/** Writes enough for the file to be rewritten. */
const compact = (journal: Journal) =>
  Promise.all(
    Array.from({ length: 200 }, async () => {
      const id = randomUUID();
      await journal.begin(id, "list_projects");
      await journal.note(id, "x".repeat(2_000));
      journal.confirm([id]);
    }),
  );

it("a file restored in place from a backup does not pass for the journal that it overwrites", async () => {
  const path = await emptyFile();
  const first = await open(path);
  await first.begin(randomUUID(), "list_projects");
  await first.close();
  const backup = await readFile(path);
  const { ino } = await stat(path);
  // The file system reuses a freed inode number.
  for (let n = 0; n < 10; n++) {
    await (await open(path)).close();
    if ((await stat(path)).ino === ino) break;
  }
  await writeFile(path, backup);
  const restored = await open(path);
  expect(restored.id).not.toBe(first.id);
  await restored.close();
});

it("after a rewrite whose name was not made durable, a command is in the file or does not begin", async () => {
  const path = await emptyFile();
  const journal = await open(path);
  let failures = 0;
  const repair = await failingDisk("sync", async (file) => {
    const fails = (await file.stat()).isDirectory();
    if (fails) failures++;
    return fails;
  });
  await Promise.allSettled([compact(journal)]);
  await until(() => failures > 0);
  const refused = randomUUID();
  await expect(journal.begin(refused, "list_projects")).rejects.toThrow("EIO");
  repair();
  const begun = randomUUID();
  await journal.begin(begun, "list_projects");
  await journal.close();
  const next = await open(path);
  expect(next.get(begun)).toBeDefined();
  expect(next.get(refused)).toBeUndefined();
  await next.close();
});

it("a confirmation that could not be written is written with the next record that can be", async () => {
  const path = await emptyFile();
  const journal = await open(path);
  const [confirmed, next, later] = [randomUUID(), randomUUID(), randomUUID()];
  await journal.begin(confirmed, "create_workspace");
  await journal.note(confirmed, { path: "/a" });
  let failed = 0;
  const repair = await failingDisk("write", () => failed++ >= 0);
  await journal.finish(confirmed, { result: {} });
  journal.confirm([confirmed]);
  await until(() => failed >= 2);
  repair();
  await journal.begin(next, "list_projects");
  // By then the file has been rewritten, after that record.
  await journal.begin(later, "list_projects");
  expect(await readFile(path, "utf8")).not.toContain("/a");
  // Simulates a kill: nothing is closed.
  const after = await open(path);
  expect(after.all().map(({ id }) => id)).toEqual([next, later]);
  await Promise.all([after.close(), journal.close()]);
});

it("a confirmation that could not be written is written when the journal is closed, at the latest", async () => {
  const path = await emptyFile();
  const journal = await open(path);
  const id = randomUUID();
  await journal.begin(id, "create_workspace");
  let failed = 0;
  const repair = await failingDisk("write", () => failed++ >= 0);
  journal.confirm([id]);
  await until(() => failed > 0);
  repair();
  await journal.close();
  const after = await open(path);
  expect(after.all()).toEqual([]);
  await after.close();
});

it.each(["another agent opened it", "a user moved it"])(
  "nothing begins in a journal whose file is no longer at its path: %s",
  async (what) => {
    const path = await emptyFile();
    const journal = await open(path);
    await journal.begin(randomUUID(), "list_projects");
    const other = what.startsWith("another") ? await open(path) : await rename(path, `${path}.moved`);
    const [refused, open1] = [randomUUID(), randomUUID()];
    await expect(journal.begin(refused, "list_projects")).rejects.toThrow("no longer");
    expect(journal.replaced.reason).toMatchObject({ message: expect.stringContaining("another container") });
    await journal.close();
    if (!other) return;
    // The other device agent's file is unchanged.
    await other.begin(open1, "list_projects");
    await other.close();
    const after = await open(path);
    expect(after.get(open1)).toBeDefined();
    await after.close();
  },
);

it("confirmed commands are known for the length of two streams, even to the next process", async () => {
  const path = await emptyFile();
  const first = await open(path);
  const [done, never] = [randomUUID(), randomUUID()];
  await first.begin(done, "list_projects");
  await first.finish(done, { result: {} });
  first.confirm([done, never]);
  await first.close();
  const second = await open(path);
  expect(second.isConfirmed(done)).toBe(true);
  expect(second.isConfirmed(never)).toBe(false);
  await second.close();
  // The file has been rewritten by then.
  const third = await open(path);
  expect(third.isConfirmed(done)).toBe(true);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * protocol.deviceStreamMs + 1 });
  onTestFinished(() => void vi.useRealTimers());
  expect(third.isConfirmed(done)).toBe(false);
  await third.close();
  const fourth = await open(path);
  const later = randomUUID();
  await fourth.begin(later, "list_projects");
  fourth.confirm([later]);
  await fourth.close();
  // Only as the newest command of all may it still be there.
  expect(await readFile(path, "utf8")).not.toContain(`"ids":["${done}"]`);
});

it("up to 50 000 confirmed commands are remembered", async () => {
  const path = await emptyFile();
  const journal = await open(path);
  const ids = Array.from({ length: 50_010 }, () => randomUUID());
  await Promise.all(ids.map((id) => journal.begin(id, "list_projects")));
  journal.confirm(ids);
  expect(ids.map((id) => journal.isConfirmed(id)).indexOf(true)).toBe(10);
  await journal.close();
  const again = await open(path);
  expect(again.isConfirmed(ids[10] ?? "")).toBe(true);
  await again.close();
});

it("the epoch of the newest stream and the newest command survive reopening and compaction", async () => {
  const path = await emptyFile();
  const first = await open(path);
  expect([first.epoch, first.newestBegun]).toEqual([0, undefined]);
  const [older, newest] = ["01a211f0-0000-7000-8000-000000000001", "01a211f0-0000-7000-8000-000000000002"];
  await first.begin(newest, "list_projects");
  await first.begin(older, "list_projects");
  first.confirm([newest, older]);
  await first.enterStream(3);
  // A heartbeat of an earlier stream comes late.
  await first.enterStream(2);
  await first.close();
  for (let time = 0; time < 2; time++) {
    const again = await open(path);
    expect([again.epoch, again.newestBegun]).toEqual([3, newest]);
    await again.close();
  }
});

it("an epoch that the disk did not take is written with the next record", async () => {
  const path = await emptyFile();
  const journal = await open(path);
  const repair = await failingDisk("write", () => true);
  await journal.enterStream(5);
  repair();
  await journal.begin(randomUUID(), "list_projects");
  await journal.close();
  const again = await open(path);
  expect(again.epoch).toBe(5);
  await again.close();
});

it("a command that another agent begins while the journal is opened is in it", async () => {
  const path = await emptyFile();
  const other = await open(path);
  const begun = [randomUUID()];
  await other.begin(begun[0] ?? "", "list_projects");
  let going = true;
  const beginning = (async () => {
    for (let id = randomUUID(); going; id = randomUUID()) {
      await other.begin(id, "list_projects").then(
        () => begun.push(id),
        () => {
          going = false;
        },
      );
      // Lets the opening take its steps.
      await new Promise(setImmediate);
    }
  })();
  const journal = await open(path);
  await beginning;
  expect(begun.length).toBeGreaterThan(1);
  expect(begun.filter((id) => !journal.get(id))).toEqual([]);
  await Promise.all([journal.close(), other.close()]);
  // The same holds for the next process.
  const again = await open(path);
  expect(begun.filter((id) => !again.get(id))).toEqual([]);
  await again.close();
});

it("a journal that another agent compacts while it is opened is read again", async () => {
  const path = await emptyFile();
  const other = await open(path);
  const kept = randomUUID();
  await other.begin(kept, "create_workspace");
  const { ino } = await stat(path);
  const file = await openFile("/dev/null");
  const prototype = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  const { readFile: read } = prototype;
  const afterReading = vi.spyOn(prototype, "readFile").mockImplementationOnce(async function (
    this: FileHandle,
  ) {
    const bytes = await read.call(this);
    await compact(other);
    await other.begin(randomUUID(), "list_projects");
    expect((await stat(path)).ino).not.toBe(ino);
    return bytes as never;
  });
  onTestFinished(() => afterReading.mockRestore());
  const journal = await open(path);
  expect(afterReading).toHaveBeenCalled();
  expect(journal.id).toBe(other.id);
  expect(journal.get(kept)).toBeDefined();
  await Promise.all([journal.close(), other.close()]);
});

it("on macOS each write also flushes the drive's cache", async () => {
  const { platform } = process;
  const file = await openFile("/dev/null");
  const datasync = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, "datasync");
  await file.close();
  onTestFinished(() => {
    Object.defineProperty(process, "platform", { value: platform });
    datasync.mockRestore();
  });
  const journal = await open(await emptyFile());
  const before = datasync.mock.calls.length;
  Object.defineProperty(process, "platform", { value: "darwin" });
  await journal.begin(randomUUID(), "list_projects");
  expect(datasync.mock.calls.length - before).toBe(1);
  await journal.close();
});
