import { readFile } from "node:fs/promises";
import type { ListeningPort } from "@grove/schemas";
import { runLsof } from "./lsof";
import { openFilesOf } from "./processes";
import { type TreeMark, type TreeProcess, treeProcesses } from "./treeProcesses";

const MAX_PORTS = 50;

/**
 * The TCP ports on which the processes of a worktree listen, in order, at most 50. On Linux this comes from `/proc`,
 * elsewhere from `lsof`, if it is installed.
 */
export async function listeningPorts(mark: TreeMark): Promise<ListeningPort[]> {
  const processes = await treeProcesses(mark);
  if (processes.length === 0) return [];
  const found = process.platform === "linux" ? await fromProc(processes) : await fromLsof(processes);
  // A server usually listens on IPv4 and on IPv6.
  const byPort = new Map(found.map((each) => [`${each.port} ${each.pid}`, each]));
  return [...byPort.values()].sort((a, b) => a.port - b.port).slice(0, MAX_PORTS);
}

/** The state of a listening socket in `/proc/net/tcp`; see proc_net_tcp.txt of the Linux kernel. */
const LISTEN = "0A";

async function fromProc(processes: readonly TreeProcess[]): Promise<ListeningPort[]> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const ports = new Map<string, number>();
  for (const line of tables.flatMap((table) => table.split("\n").slice(1))) {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
    if (state === LISTEN) ports.set(`socket:[${inode}]`, Number.parseInt(local.split(":")[1] ?? "", 16));
  }
  const portsByProcess = await Promise.all(
    processes.map(async ({ pid, name }) => {
      const listening: ListeningPort[] = [];
      for await (const file of openFilesOf(pid)) {
        const port = ports.get(file);
        if (port !== undefined) listening.push({ port, pid, program: name });
      }
      return listening;
    }),
  );
  return portsByProcess.flat();
}

async function fromLsof(processes: readonly TreeProcess[]): Promise<ListeningPort[]> {
  const pids = processes.map(({ pid }) => pid).join(",");
  const stdout = await runLsof(["-a", "-p", pids, "-i", "TCP", "-s", "TCP:LISTEN", "-F", "pn"]);
  const found: ListeningPort[] = [];
  let pid = 0;
  for (const line of stdout.split("\n")) {
    if (line.startsWith("p")) pid = Number(line.slice(1));
    const port = /^n.*:(\d+)$/.exec(line)?.[1];
    const program = processes.find((each) => each.pid === pid)?.name;
    if (port !== undefined && program !== undefined) found.push({ port: Number(port), pid, program });
  }
  return found;
}
