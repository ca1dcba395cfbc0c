import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFile, copyFile, readFile, rename, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Journal } from "./journal";
import { silent } from "./testing/log";
import { killHard, startScript, typescript } from "./testing/process";
import { temporaryDirectory } from "./testing/temp";

const open = (path: string) => Journal.open(path, silent);
const emptyFile = async () => join(await temporaryDirectory(), "journal.jsonl");

test("what was begun, noted and finished is there after reopening, under the same id", async () => {
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

test("begins that come together are all on disk when they resolve", async () => {
  const path = await emptyFile();
  const journal = await open(path);
  const ids = Array.from({ length: 300 }, () => randomUUID());
  await Promise.all(ids.map((id) => journal.begin(id, "list_projects")));
  const content = await readFile(path, "utf8");
  for (const id of ids) expect(content).toContain(id);
  await journal.close();
});

test.each([
  ["begun and killed", "hang"],
  ["finished and killed", "finish"],
])("kill -9: nothing that was acknowledged is lost (%s)", async (_, what) => {
  const path = await emptyFile();
  const { child, lines } = startScript(new URL("./testing/journalWriter.ts", import.meta.url), [path, what]);
  const seen: string[] = [];
  for (let n = 0; n < 40; n++) seen.push((await lines.next()).value ?? "");
  await killHard(child);
  for (let line = await lines.next(); !line.done; line = await lines.next()) seen.push(line.value);

  const journal = await open(path);
  for (const line of seen) {
    const [state, id = ""] = line.split(" ");
    expect(journal.get(id)).toBeDefined();
    if (state === "finished") expect(journal.get(id)?.outcome).toEqual({ result: { made: id } });
  }
  await journal.close();
});

test.each([1, 20, "all but one byte", "its newline and all"])(
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

test("zeros that a power cut left at the end are no damage", async () => {
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

test.each(["copied", "damaged"])("a %s journal does not pass for the one it was", async (how) => {
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

test("the file stays bounded however many commands go through it, and loses none of the open ones", async () => {
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

test("on a full disk begin fails, and what stood before still stands", async () => {
  const path = await emptyFile();
  // A limit on the file's size makes the write come back short, as a full disk does. In blocks of 512 bytes.
  const script = fileURLToPath(new URL("./testing/journalWriter.ts", import.meta.url));
  const command = `ulimit -f 8; exec "$0" "$@" finish`;
  // tsx's own cache files would meet the same limit.
  const env = { ...process.env, TSX_DISABLE_CACHE: "1" };
  const child = spawn("sh", ["-c", command, process.execPath, ...typescript, script, path], { env });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const said = output.trim().split("\n");
  expect(said.at(-1)).toMatch(/^failed \S+ (ENOSPC|EFBIG)$/);

  const journal = await open(path);
  for (const line of said.slice(0, -1)) expect(journal.get(line.split(" ")[1] ?? "")).toBeDefined();
  await journal.close();
});

test("an outcome that the cloud confirms at once is never written, and its command forgotten all the same", async () => {
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

test("any sequence of steps reads back as what it amounts to", async () => {
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
