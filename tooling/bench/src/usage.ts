import { existsSync, readFileSync } from "node:fs";

/** The processor time of a running process, in milliseconds; NaN without /proc. */
export function processorTimeOf(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  // proc(5): fields 14 and 15 are user and system time in ticks of 10 ms. Field 2, a name, may contain spaces.
  const fields = readFileSync(path, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The memory of a running process in MiB, now and at its peak; undefined without /proc. */
export function memoryOf(pid: number): { now: number; peak: number } | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const status = readFileSync(path, "utf8");
  const mebibytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return { now: mebibytes("VmRSS"), peak: mebibytes("VmHWM") };
}
