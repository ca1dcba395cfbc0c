import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { ProgramLog } from "../run/programLog";

/** A program with this source, and a log for it that collects the lines that it shows. */
export async function script(source: string) {
  const directory = await temporaryDirectory();
  const path = join(directory, "program.mjs");
  await writeFile(path, source);
  const shown: string[] = [];
  const logPath = join(directory, "program.log");
  const log = new ProgramLog({
    name: "program",
    path: logPath,
    verbose: false,
    show: (text) => shown.push(text),
  });
  return { directory, path, log, logPath, shown };
}

/** An event to wait for. */
export function awaited() {
  let happened = () => {};
  const promise = new Promise<void>((resolve) => {
    happened = resolve;
  });
  return { promise, happened };
}
