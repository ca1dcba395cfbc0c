import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { commit, git } from "../../testing/repository";
import { make, remove, setUp } from "../../testing/workspace";

async function write(directory: string, files: Record<string, string>): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), content);
  }
}

/** A workspace in which all of these patterns are ignored, with copies of these files of the main work tree. */
async function setUpIgnoring(patterns: string[], copied: Record<string, string> = {}) {
  const { device, projectId, repository } = await setUp([]);
  await commit(repository, ".gitignore", `${patterns.join("\n")}\n`);
  await write(repository, copied);
  if (Object.keys(copied).length > 0)
    await write(repository, { ".worktreeinclude": `${Object.keys(copied).join("\n")}\n` });
  const { id, path } = await make(device, projectId, "one");
  const reason = async () => (await remove(device, [id]))[0]?.error?.message;
  return { device, repository, id, path, reason };
}

it.each<{ files: Record<string, string>; named: string }>([
  { files: { "data.db": "rows" }, named: "1 ignored file that git does not keep (data.db)" },
  { files: { ".env": "KEY=edited" }, named: "(.env)" },
  { files: { "config/local/secrets.json": "{}" }, named: "(config/local/secrets.json)" },
  // The names of build output, without the manifest of a tool that makes it.
  { files: { "dist/report.pdf": "pages", "target/notes": "text" }, named: "(dist/report.pdf, target/notes)" },
  // A tag without the signature.
  { files: { "cache/CACHEDIR.TAG": "mine", "cache/x": "x" }, named: "(cache/CACHEDIR.TAG, cache/x)" },
])("ignored files that exist only in the worktree keep it: $named", async ({ files, named }) => {
  const ignored = ["*.db", ".env", "/config/local/", "/dist/", "/target/", "/cache/"];
  const { device, path, id, reason } = await setUpIgnoring(ignored, { ".env": "KEY=1" });
  await write(path, files);
  expect(await reason()).toContain(named);
  expect((await remove(device, [id], { force: true }))[0]).toMatchObject({ worktreeRemoved: true });
});

it("many ignored files are counted and named only up to a limit", async () => {
  const { path, reason } = await setUpIgnoring(["*.log"]);
  await write(path, Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`${n}.log`, "line"])));
  expect(await reason()).toMatch(/more than 5 ignored files .*\(0\.log, 1\.log, 2\.log, 3\.log, 4\.log, …\)/);
});

it("copies of the main work tree, links, empty files and what tools make again do not keep a worktree", async () => {
  const ignored = [".env", "node_modules", "dist", "target", ".venv", ".cache", "*.pyc", "link", "empty"];
  const copied = { ".env": "KEY=1", "keys/.env": "KEY=2" };
  const { device, repository, path, id } = await setUpIgnoring(ignored, copied);
  // The main work tree may change: the copy is as Grove made it.
  await write(repository, { ".env": "KEY=3" });
  await write(path, {
    "node_modules/a/index.js": "1",
    "web/node_modules/b/index.js": "1",
    "web/dist/index.js": "1",
    "rust/target/debug/app": "1",
    ".venv/pyvenv.cfg": "home = /usr",
    ".venv/bin/python": "1",
    ".cache/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n",
    ".cache/x": "1",
    "a.pyc": "1",
    empty: "",
    "web/package.json": "{}",
    "rust/Cargo.toml": "",
  });
  await git(["add", "--", "web/package.json", "rust/Cargo.toml"], { cwd: path });
  await git(["commit", "--quiet", "--message", "manifests"], { cwd: path });
  await git(["merge", "--quiet", "grove/one"], { cwd: repository });
  await symlink("/", join(path, "link"));
  const [removed] = await remove(device, [id]);
  expect(removed).toMatchObject({ worktreeRemoved: true, warnings: [] });
});

it("ignored files of submodules count", async () => {
  const { device, projectId, repository } = await setUp([]);
  const library = join(device.directory, "library");
  await git(["clone", "--quiet", "--", repository, library]);
  await commit(library, ".gitignore", "*.db\n");
  const local = ["-c", "protocol.file.allow=always"];
  await git([...local, "submodule", "--quiet", "add", "--", library, "lib"], { cwd: repository });
  await git(["commit", "--quiet", "--message", "lib"], { cwd: repository });
  const { id, path } = await make(device, projectId, "one");
  await git([...local, "submodule", "--quiet", "update", "--init"], { cwd: path });
  await write(path, { "lib/data.db": "rows" });
  expect((await remove(device, [id]))[0]?.error?.message).toContain("(data.db) in the submodule lib");
});
