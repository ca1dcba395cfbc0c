import type { Benchmark, Context, Row } from "../benchmark";
import { bearer, queriesUrl } from "../calls";
import { type Grove, startGrove } from "../grove";
import { send } from "../http";
import { type Comparison, compare, type Subject, warmUp } from "../load";
import { query, startDurablePostgres } from "../postgres";
import { startOwn } from "../programs";
import { logStatements } from "../statements";
import { memoryOf } from "../usage";

const ROUNDS = 10;
/** Long enough for some thousand requests, so that a single pause of a process is less than a hundredth of them. */
const ROUND_MS = 2_000;
const CONNECTIONS = 32;
const PROJECTS = 10_000;
const PAGE = 50;
const BATCH = 10;

const listUrl = (grove: Grove, calls: number) =>
  queriesUrl(grove, "project.list", calls, { organizationId: grove.organizationId, limit: PAGE });

const fillProjects = (databaseUrl: string, organizationId: string) =>
  query(
    databaseUrl,
    `insert into projects (id, organization_id, name, slug, repo_owner, repo_name, repo_url, default_branch, created_at)
      select gen_random_uuid(), $1, 'Orchard ' || n, 'orchard-' || n, 'acme', 'orchard-' || n,
        'https://example.com/acme/orchard-' || n || '.git', 'main', now() - n * interval '1 minute'
      from generate_series(1, $2::integer) n`,
    [organizationId, PROJECTS],
  );

/** One side of the comparison, after a check that it answers with the lists. */
async function lists(pid: number, url: string, secret: string, calls: number): Promise<Subject> {
  const call = () => send(url, { headers: bearer(secret) });
  const rows = (await call()).split('"Orchard ').length - 1;
  if (rows !== calls * PAGE) throw new Error(`${url} answered ${rows} rows.`);
  await warmUp(call);
  return { call, pid };
}

async function compareLists(
  { rounds = ROUNDS, progress }: Context,
  floor: { pid: number; url: string },
  grove: Grove,
  calls: number,
): Promise<Comparison> {
  return compare({
    floor: await lists(floor.pid, `${floor.url}/${calls}`, grove.sessionToken, calls),
    grove: await lists(grove.pid, listUrl(grove, calls), grove.sessionToken, calls),
    inFlight: CONNECTIONS,
    rounds,
    ms: ROUND_MS,
    progress: (round) => progress(`${calls} in a request, round ${round} of ${rounds}`),
  });
}

/** Counts the statements that one request of ten calls sends to the database, for each kind of credential. */
async function countStatements({ scope }: Context, databaseUrl: string): Promise<Row[]> {
  const log = await logStatements(scope, databaseUrl);
  const grove = await startGrove(scope, log.url);
  const rows: Row[] = [];
  for (const [kind, secret] of [
    ["session", grove.sessionToken],
    ["API key", grove.apiKey],
  ] as const) {
    const sendBatch = () => send(listUrl(grove, BATCH), { headers: bearer(secret) });
    // The use of a credential is recorded once a minute, with the first request.
    for (let n = 0; n < 3; n++) await sendBatch();
    log.take();
    await sendBatch();
    const statements = log.take();
    const forCredential = statements.filter((text) => /from "?(sessions|api_keys)\b/.test(text));
    rows.push(
      { measure: `statements for ${BATCH} calls, ${kind}`, grove: statements.length },
      {
        measure: "  to resolve the credential",
        grove: forCredential.length,
        aim: { of: "grove", atMost: 1 },
      },
    );
  }
  return rows;
}

const comparisonRows = ({ floor, grove, ratio }: Comparison, label: string, calls: number): Row[] => [
  {
    measure: `${label}, calls/s`,
    floor: floor.perSecond * calls,
    grove: grove.perSecond * calls,
    ratio: ratio.perSecond,
    aim: { of: "ratio", atLeast: 1 },
  },
  { measure: `${label}, p50 ms`, floor: floor.p50, grove: grove.p50, ratio: ratio.p50 },
  {
    measure: `${label}, p99 ms`,
    floor: floor.p99,
    grove: grove.p99,
    ratio: ratio.p99,
    aim: { of: "ratio", atMost: 1.1 },
  },
  {
    measure: `${label}, processor time of the API, ms`,
    floor: floor.cpu,
    grove: grove.cpu,
    ratio: ratio.cpu,
  },
];

export const batch: Benchmark = {
  name: "batch",
  summary: `the authenticated list, one and ${BATCH} calls a request`,
  async run(context) {
    const { scope, rounds = ROUNDS, progress } = context;
    progress("starting PostgreSQL and the API");
    const postgres = await startDurablePostgres(scope, context.flushMs);
    const databaseUrl = await postgres.createDatabase();
    const grove = await startGrove(scope, databaseUrl);
    await fillProjects(databaseUrl, grove.organizationId);
    await postgres.analyze();
    const listServer = new URL("../floors/listServer.ts", import.meta.url);
    const server = startOwn(scope, listServer, databaseUrl, grove.organizationId);
    const floor = { pid: server.pid, url: await server.waitForLine("http://") };

    const single = await compareLists(context, floor, grove, 1);
    const batched = await compareLists(context, floor, grove, BATCH);
    const [floorMemory, groveMemory] = [memoryOf(floor.pid)?.now, memoryOf(grove.pid)?.now];
    const rows = [
      ...comparisonRows(single, "one call a request", 1),
      ...comparisonRows(batched, `${BATCH} calls a request`, BATCH),
    ];
    if (groveMemory !== undefined)
      rows.push({ measure: "memory after that, MiB", floor: floorMemory, grove: groveMemory });
    progress("counting statements");
    rows.push(...(await countStatements(context, databaseUrl)));
    return {
      title: `project.list, ${PAGE} of ${PROJECTS} rows, ${CONNECTIONS} connections; floor: bare node:http and pg with the same two statements`,
      rows,
      notes: [
        `${postgres.version}. Medians of ${rounds} rounds in turns, ${ROUND_MS / 1_000} s each side. Statements as counted on the wire.`,
      ],
    };
  },
};
