import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createProvenFetch, ProvenAgent } from "@grove/client/serverProof";
import { type LocalFile, localFile } from "@grove/schemas";

/**
 * Returns a fetch for the Grove of a data directory. It reads the address and the credential from the directory for
 * each request, so that a client's configuration need not contain them. No request is sent before that Grove has proved
 * its identity.
 */
export function createLocalFetch(dataDir: string): typeof fetch {
  const path = join(dataDir, "local.json");
  let proven: { key: string; fetch: typeof fetch } | undefined;
  return async (input, init = {}) => {
    const { apiUrl, apiKey, proofKey } = await read(path);
    if (proven?.key !== proofKey)
      proven = { key: proofKey, fetch: createProvenFetch(new ProvenAgent(proofKey)) };
    const { pathname, search } = new URL(String(input instanceof Request ? input.url : input));
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${apiKey}`);
    return proven.fetch(`${apiUrl}${pathname}${search}`, { ...init, headers });
  };
}

async function read(path: string): Promise<Required<LocalFile>> {
  const content = await readFile(path, "utf8");
  const parsed = localFile.required().safeParse(parse(content));
  // The file's content is secret and must not appear in a message.
  if (!parsed.success) throw new Error(`${path} is damaged, or from an older Grove: start Grove again.`);
  return parsed.data;
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
