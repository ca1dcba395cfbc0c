import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Client, errorData } from "@grove/client";
import { messageOf } from "@grove/schemas";
import { partsOf } from "./parts";

/** How many items of each part were written, and why others were left out. */
export interface Exported {
  counts: Record<string, number>;
  leftOut: Record<string, string>;
}

/**
 * Writes everything of an organization that the caller may read into a file, for its owner alone: one JSON object, each
 * item on a line of its own. The file appears when it is complete.
 */
export async function writeExport(
  client: Client,
  organizationId: string,
  path: string,
  { signal, progress = () => {} }: { signal: AbortSignal; progress?: (part: string, count: number) => void },
): Promise<Exported> {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  const exported: Exported = { counts: {}, leftOut: {} };
  try {
    const file = createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true });
    await pipeline(Readable.from(textOf(client, organizationId, exported, progress)), file, { signal });
    await rename(draft, path);
    return exported;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function* textOf(
  client: Client,
  organizationId: string,
  { counts, leftOut }: Exported,
  progress: (part: string, count: number) => void,
): AsyncGenerator<string> {
  const organization = await client.organization.get.query({ organizationId });
  const head = { format: "grove-export", version: 1, exportedAt: new Date().toISOString(), organization };
  yield JSON.stringify(head, undefined, 1).slice(0, -2);
  for (const [part, items] of Object.entries(partsOf(client, organizationId))) {
    let count = 0;
    yield `,\n ${JSON.stringify(part)}: [`;
    try {
      for await (const item of items) {
        yield `${count === 0 ? "" : ","}\n  ${JSON.stringify(item)}`;
        count += 1;
        progress(part, count);
      }
    } catch (error) {
      // A caller with another role or kind of credential may read more. Anything else ends the export.
      if (count > 0 || errorData(error)?.code !== "FORBIDDEN") throw error;
      leftOut[part] = messageOf(error);
    }
    yield "\n ]";
    counts[part] = count;
  }
  yield `,\n "leftOut": ${JSON.stringify(leftOut)}\n}\n`;
}
