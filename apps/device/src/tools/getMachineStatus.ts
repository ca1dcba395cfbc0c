import { statfs } from "node:fs/promises";
import { availableParallelism, hostname, loadavg, platform, totalmem } from "node:os";
import type { Tool } from "../tool";
import type { ToolDeps } from "./deps";

/** get_machine_status: reads the name, the load, the free memory and the free disk space of this machine. */
export const getMachineStatusTool = ({ home }: Pick<ToolDeps, "home">): Tool<"get_machine_status"> => ({
  async run() {
    const [load = 0] = loadavg();
    return {
      hostName: hostname(),
      // Node reports 0 on Windows, which has no such average.
      load: platform() === "win32" ? null : Math.round(load * 100) / 100,
      processors: availableParallelism(),
      memory: { freeBytes: process.availableMemory(), totalBytes: totalmem() },
      disk: await spaceOf(home.root),
      startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    };
  },
});

/** The space of a directory's file system that this user may fill; null if it cannot be read. */
async function spaceOf(directory: string): Promise<{ freeBytes: number; totalBytes: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}
