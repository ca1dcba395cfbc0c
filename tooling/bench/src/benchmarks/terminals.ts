import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "@grove/client/node";
import { connectFakeDevice } from "@grove/testing/device";
import pg from "pg";
import type { Benchmark, Row } from "../benchmark";
import { type Grove, registerDevice, startGrove } from "../grove";
import { query, startDurablePostgres } from "../postgres";
import type { Scope } from "../scope";
import { median, quantile } from "../stats";
import { processorTimeOf } from "../usage";

const DEVICES = 50;
const TERMINALS_EACH = 10;
/** A spinner's frame. Each begins with the time at which it was drawn. */
const FRAME_MS = 100;
const MEASURED_MS = 20_000;
const VIEWERS = 10;
const WATCHED_MS = 3_000;
/** The device agent waits this long for the rest of a picture. */
const SETTLE_MS = 10;
/** How long the device agent reports at a viewer's pace after the viewer arrived. */
const VIEWER_MS = 10_000;
const REPORT_MS = 30_000;

type Transport = ReturnType<typeof createTransport>;

/**
 * A terminal with a spinner: reports its frames at the pace that the API asks for, as the device agent's reporter does.
 */
class Terminal {
  readonly id = randomUUID();
  /** How many bytes of output the API has taken. */
  reported = 0;
  readonly #device: Transport;
  #frames = "";
  #sequence = 0;
  #watchedUntil = 0;
  #pause = new AbortController();

  constructor(device: Transport, scope: Scope) {
    this.#device = device;
    const timer = setInterval(() => {
      this.#frames += `\r${performance.now().toFixed(1)} ⠋ Thinking`;
    }, FRAME_MS);
    scope.defer(() => clearInterval(timer));
  }

  watched(): void {
    this.#watchedUntil = performance.now() + VIEWER_MS;
    this.#pause.abort();
  }

  async start(journalId: string, workspaceId: string): Promise<void> {
    const start = { type: "start", id: this.id, journalId, workspaceId, agent: "spinner" } as const;
    await this.#device.mutate("agent", "reportSession", start, REPORT_MS);
  }

  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const data = this.#frames;
      this.#frames = "";
      const sequence = this.#sequence + 1;
      let paceMs = FRAME_MS;
      if (data !== "") {
        this.#sequence = sequence;
        const report = { type: "output", id: this.id, sequence, data } as const;
        ({ paceMs } = await this.#device.mutate("agent", "reportSession", report, REPORT_MS));
        this.reported += Buffer.byteLength(data);
      }
      if (performance.now() < this.#watchedUntil) paceMs = FRAME_MS;
      this.#pause = new AbortController();
      await sleep(paceMs, undefined, { signal: this.#pause.signal }).catch(() => {});
      await sleep(SETTLE_MS);
    }
  }
}

/** A device with terminals, which answers heartbeats and wakes a terminal that has a viewer. */
async function startTerminals(grove: Grove, scope: Scope): Promise<Terminal[]> {
  const { apiKey } = await registerDevice(grove, "terminals");
  const transport = createTransport({ apiUrl: grove.url, token: apiKey });
  const journalId = randomUUID();
  const terminals = Array.from({ length: TERMINALS_EACH }, () => new Terminal(transport, scope));
  const input = { journalId, agentVersion: "1.0.0", capabilities: ["get_agent_screen"] };
  const device = connectFakeDevice<{ type: string; sessionId?: string }>(
    {
      open: (onEvent, onEnd) =>
        transport.subscribe("device", "connect", input, {
          onData: (event) => onEvent(event as { type: string }),
          onEnd,
        }),
      heartbeat: (answer) => transport.mutate("agent", "heartbeat", answer, REPORT_MS),
    },
    {
      onEvent: ({ type, sessionId }) => {
        if (type === "watch") terminals.find(({ id }) => id === sessionId)?.watched();
      },
    },
  );
  scope.defer(device.disconnect);
  await device.online;
  const workspace = {
    id: randomUUID(),
    name: "bench",
    type: "worktree" as const,
    config: { branchName: "b" },
  };
  const project = {
    name: "bench",
    slug: "bench",
    repoUrl: "https://example.com/bench.git",
    defaultBranch: "main",
  };
  await transport.client.workspace.ensure.mutate({
    organizationId: grove.organizationId,
    project: { ...project, repoOwner: "example", repoName: "bench" },
    workspace,
  });
  for (const terminal of terminals) await terminal.start(journalId, workspace.id);
  return terminals;
}

/** Watches a terminal. Returns when its first current frame was shown, and how old each frame was. */
async function view({ client, organizationId }: Grove, { id }: Terminal) {
  const opened = performance.now();
  const ages: number[] = [];
  let shown = Number.NaN;
  const watching = client.agent.sessionOutput.subscribe(
    { organizationId, id },
    {
      onData({ data }) {
        if (data.type !== "output") return;
        const now = performance.now();
        for (const [, drawn] of data.data.matchAll(/\r([\d.]+) /g)) {
          const at = Number(drawn);
          if (at < opened - FRAME_MS) continue;
          if (Number.isNaN(shown)) shown = now - opened;
          if (at > opened + FRAME_MS) ages.push(now - at);
        }
      },
    },
  );
  await sleep(WATCHED_MS);
  watching.unsubscribe();
  return { shown, ages };
}

export const terminals: Benchmark = {
  name: "terminals",
  summary: `${DEVICES * TERMINALS_EACH} terminals with a spinner: the load on the API and PostgreSQL without viewers, and the latency of one viewer`,
  async run({ scope, flushMs, progress }) {
    const postgres = await startDurablePostgres(scope, flushMs);
    const databaseUrl = await postgres.createDatabase();
    const grove = await startGrove(scope, databaseUrl);
    progress("starting the terminals");
    const all: Terminal[] = [];
    for (let n = 0; n < DEVICES; n++) all.push(...(await startTerminals(grove, scope)));
    const stop = new AbortController();
    const running = all.map((terminal) => terminal.run(stop.signal));
    scope.defer(() => stop.abort());
    // The first frames were reported quickly, and all at the same time.
    await sleep(MEASURED_MS / 2);

    const listener = new pg.Client(databaseUrl);
    await listener.connect();
    scope.defer(() => listener.end());
    let announced = 0;
    listener.on("notification", () => announced++);
    await listener.query("listen session_changed");
    const commits = () =>
      query<string>(
        databaseUrl,
        "select xact_commit from pg_stat_database where datname = current_database()",
      );
    const logged = async () => Number(await query(databaseUrl, "select pg_current_wal_lsn() - '0/0'"));
    const reported = () => all.reduce((sum, terminal) => sum + terminal.reported, 0);
    progress("without viewers");
    const before = {
      cpu: processorTimeOf(grove.pid),
      commits: Number(await commits()),
      logged: await logged(),
      reported: reported(),
      at: performance.now(),
    };
    await sleep(MEASURED_MS);
    const seconds = (performance.now() - before.at) / 1_000;
    const cores = (processorTimeOf(grove.pid) - before.cpu) / 1_000 / seconds;
    const perSecond = (Number(await commits()) - before.commits) / seconds;
    const logOfByte = ((await logged()) - before.logged) / (reported() - before.reported);
    const announcedUnwatched = announced;

    const shown: number[] = [];
    const ages: number[] = [];
    for (const [n, terminal] of all.slice(0, VIEWERS).entries()) {
      progress(`viewer ${n + 1} of ${VIEWERS}`);
      const views = await view(grove, terminal);
      shown.push(views.shown);
      ages.push(...views.ages);
    }
    stop.abort();
    for (const terminal of all) terminal.watched();
    await Promise.all(running);
    const aim = (atMost: number): Row["aim"] => ({ of: "grove", atMost });
    return {
      title: `${DEVICES * TERMINALS_EACH} terminals on ${DEVICES} devices, each with a frame every ${FRAME_MS} ms`,
      rows: [
        { measure: "without viewers: cores of the API", grove: cores, aim: aim(0.4) },
        { measure: "without viewers: announcements of output", grove: announcedUnwatched, aim: aim(0) },
        { measure: "without viewers: commits a second", grove: perSecond },
        { measure: "without viewers: bytes of PostgreSQL's log, a byte of output", grove: logOfByte },
        { measure: "a viewer sees a current frame after, ms", grove: median(shown), aim: aim(300) },
        {
          measure: "age of a frame when a viewer sees it, p95 ms",
          grove: quantile(ages, 0.95),
          aim: aim(150),
        },
      ],
      notes: [
        `${postgres.version}, fsync on${flushMs ? `, a flush of ${flushMs} ms` : ""}. No viewers for ${MEASURED_MS / 1_000} s, then ${VIEWERS} viewers in turn for ${WATCHED_MS / 1_000} s each.`,
      ],
    };
  },
};
