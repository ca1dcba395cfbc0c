import { readdir, readFile } from "node:fs/promises";

/** A process and all that it has started, directly or not. Linux only. */
async function processTree(root: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // The program's name, in parentheses, may have spaces.
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/**
 * Suspends a process and all that it has started, as when their machine sleeps.
 * @returns a function that wakes them
 */
export async function suspendTree(root: number): Promise<() => void> {
  const tree = await processTree(root);
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of tree)
      try {
        process.kill(pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
  };
  signalAll("SIGSTOP");
  return () => signalAll("SIGCONT");
}
