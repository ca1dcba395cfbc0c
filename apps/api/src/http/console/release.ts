import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { version } from "../../../package.json";

/**
 * Names what a server runs: its version, and the build of the console that it serves. Pages of another build look for
 * files that are gone.
 */
export async function releaseOf(webDir: string | undefined): Promise<string> {
  if (webDir === undefined) return version;
  const html = await readFile(join(webDir, "index.html")).catch(() => undefined);
  return html ? `${version}+${createHash("sha256").update(html).digest("hex").slice(0, 12)}` : version;
}
