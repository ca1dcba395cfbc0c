import { spawn } from "node:child_process";
import { realpath } from "node:fs/promises";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";
import { listeningPorts } from "./listeningPorts";

/** A server, and the port that it prints. */
async function startServer(cwd: string): Promise<{ port: number; pid: number | undefined }> {
  const script = "const s = require('net').createServer(); s.listen(0, () => console.log(s.address().port))";
  const child = spawn(process.execPath, ["-e", script], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  for await (const chunk of child.stdout) return { port: Number(String(chunk)), pid: child.pid };
  throw new Error("the server has printed no port");
}

it("are those of the programs that work in the worktree, each once", async () => {
  const [path, other] = await Promise.all([
    realpath(await temporaryDirectory()),
    realpath(await temporaryDirectory()),
  ]);
  const mark = { path, variable: "GROVE_WORKSPACE_ID=none" };
  expect(await listeningPorts(mark)).toEqual([]);
  const servers = [await startServer(path), await startServer(path)];
  await startServer(other);
  const found = await listeningPorts(mark);
  expect(found.map(({ port, pid }) => ({ port, pid }))).toEqual(servers.sort((a, b) => a.port - b.port));
  expect(found[0]?.program).toMatch(/node|MainThread/);
});
