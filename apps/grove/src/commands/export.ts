import { type Client, createClient, errorData } from "@grove/client";
import { credentialPrefixes } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import type { Env } from "../env";
import { UserError } from "../errors";
import { writeExport } from "../export/write";
import { dataDirAt } from "../local/dataDir";
import { findRunning, provenFetch } from "../local/overview";
import { signIn } from "../local/owner";
import { print } from "../print";
import { stopSignal } from "../run/stopSignal";

/** How often progress is shown. */
const EVERY_MS = 1_000;
const SIGN_IN_MS = 30_000;

export interface ExportOptions {
  apiUrl?: string;
  organization?: string;
  /** Where local mode has its data; absolute. */
  dataDir: string;
}

/**
 * `grove export <file>`: writes everything of an organization that the caller may read into a JSON file. It reads local
 * mode's own organization, or with `apiUrl` one of a team's server, with the key in API_KEY.
 */
export async function exportOrganization(
  file: string,
  options: ExportOptions,
  env: Env,
  say: (text: string) => void,
): Promise<void> {
  const path = env.resolve(file);
  const { client, organizationId, end } = options.apiUrl
    ? await ofServer(options.apiUrl, options.organization, env.apiKey)
    : await ofLocalMode(options.dataDir);
  try {
    let shown = performance.now();
    const progress = (part: string, count: number) => {
      if (performance.now() - shown < EVERY_MS) return;
      shown = performance.now();
      say(`${part}: ${count}`);
    };
    const { counts, leftOut } = await writeExport(client, organizationId, path, {
      signal: stopSignal(env),
      progress,
    });
    for (const [part, why] of Object.entries(leftOut)) say(`Skipped ${part}: ${why}`);
    const words = Object.entries(counts).flatMap(([part, count]) => (count > 0 ? [`${part} ${count}`] : []));
    print(`${path}\n${words.join(", ")}\n`);
  } catch (error) {
    throw inOneLine(error);
  } finally {
    await end();
  }
}

/** The API's messages name the next step. */
const inOneLine = (error: unknown) =>
  error instanceof Error && errorData(error) ? new UserError(error.message) : error;

interface Source {
  client: Client;
  organizationId: string;
  end(): Promise<void>;
}

/** Signs in as the owner for as long as it takes: a key may not list invitations and keys. */
async function ofLocalMode(dataDir: string): Promise<Source> {
  const local = await findRunning(dataDir);
  const dir = dataDirAt(dataDir);
  const owner = await dir.owner.read();
  if (!local || !owner)
    throw new UserError(
      `Grove is not running on ${dataDir}. Start it there, or name a server with --api-url, and a key of yours in API_KEY.`,
    );
  const fetcher = provenFetch(local) ?? fetch;
  const token = await signIn(local.apiUrl, owner, dir, timeoutSignal(SIGN_IN_MS), fetcher);
  const end = async () => {
    const headers = { authorization: `Bearer ${token}` };
    await fetcher(`${local.apiUrl}/api/auth/sign-out`, {
      method: "POST",
      headers,
      signal: timeoutSignal(SIGN_IN_MS),
    });
  };
  const client = createClient({ apiUrl: local.apiUrl, token, fetch: fetcher });
  return { client, organizationId: local.organizationId, end };
}

async function ofServer(
  apiUrl: string,
  wanted: string | undefined,
  token: string | undefined,
): Promise<Source> {
  if (token === undefined)
    throw new UserError(
      `Set API_KEY to a key of yours (${credentialPrefixes.api_key}…), or to the token of a session (${credentialPrefixes.session}…).`,
    );
  const client = createClient({ apiUrl, token });
  const all = await client.organization.list.query().catch((error) => {
    throw inOneLine(error);
  });
  const found = wanted === undefined ? all : all.filter(({ id, slug }) => [id, slug].includes(wanted));
  const [organization] = found;
  if (organization === undefined || found.length > 1)
    throw new UserError(
      `Name one organization with --organization: ${all.map(({ slug }) => slug).join(", ") || "you are in none"}.`,
    );
  return { client, organizationId: organization.id, end: async () => {} };
}
