import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { version } from "../../../package.json";

/**
 * Returns a server's version, and the build of its console. Pages of another build request files that no longer exist.
 */
export async function releaseOf(webDir: string | undefined): Promise<string> {
  if (webDir === undefined) return version;
  const html = await readFile(join(webDir, "index.html")).catch(() => undefined);
  return html ? `${version}+${createHash("sha256").update(html).digest("hex").slice(0, 12)}` : version;
}
