import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Benchmark, Row } from "../benchmark";
import { type Peer, peerNames, peers } from "../peers";
import { builtProgram, cleanEnvironment } from "../programs";
import { median } from "../stats";
import { memoryOf } from "../usage";

const ROUNDS = 20;

interface Answer {
  id?: number;
  result?: { tools?: unknown[] };
}

interface Start {
  ms: number;
  /** MiB */
  peak: number | undefined;
  /** The size of the answer. */
  bytes: number;
}

/** Measures an MCP server from its spawn to its answer to tools/list, with the steps of a client. */
async function startOf(args: readonly string[]): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    env: cleanEnvironment(),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = async (id: number, method: string, params = {}): Promise<Answer> => {
    send({ id, method, params });
    const answer = new Promise<Answer>((resolve) => {
      lines.on("line", (line) => {
        const message = JSON.parse(line) as Answer;
        if (message.id === id) resolve(message);
      });
    });
    const ended = exited.then(() =>
      Promise.reject(new Error(`${args[0]} ended before it answered ${method}.`)),
    );
    return Promise.race([answer, ended]);
  };
  try {
    const clientInfo = { name: "bench", version: "0.0.0" };
    await ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    send({ method: "notifications/initialized" });
    const { result } = await ask(2, "tools/list");
    const ms = performance.now() - began;
    if (!result?.tools?.length) throw new Error("tools/list answered no tools.");
    const bytes = Buffer.byteLength(JSON.stringify(result));
    return { ms, peak: memoryOf(child.pid as number)?.peak, bytes };
  } finally {
    child.kill();
    await exited;
  }
}

/** The time that Node itself takes to start and end. */
async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(
    spawn(process.execPath, ["-e", "0"], { env: cleanEnvironment(), stdio: ["ignore", "pipe", "ignore"] }),
    "exit",
  );
  return performance.now() - began;
}

const subjects = ["mcp-cloud", "mcp-desktop", ...peerNames] as const;
type Subject = (typeof subjects)[number];

const commandOf = (subject: Subject): readonly string[] =>
  subject in peers ? peers[subject as Peer] : [builtProgram(subject as "mcp-cloud" | "mcp-desktop")];

interface Round {
  floor: number;
  starts: Record<Subject, Start>;
}

export const coldStart: Benchmark = {
  name: "cold-start",
  summary: "mcp-cloud, mcp-desktop and its peers: spawn to the answer of tools/list",
  async run({ rounds = ROUNDS, progress }) {
    const measured: Round[] = [];
    for (let round = 0; round <= rounds; round++) {
      progress(`round ${round} of ${rounds}`);
      const floor = await bareNode();
      const starts = {} as Record<Subject, Start>;
      for (const subject of subjects) starts[subject] = await startOf(commandOf(subject));
      // The first round reads the files from the disk.
      if (round > 0) measured.push({ floor, starts });
    }
    return {
      title: "From spawn to the answer to tools/list; floor: `node -e 0`",
      rows: [...rowsOf("mcp-cloud", [], measured), ...rowsOf("mcp-desktop", peerNames, measured)],
      notes: [`Medians of ${rounds} rounds in turns.`],
    };
  },
};

/** The longest answer to tools/list that is allowed. */
const maxBytes = { "mcp-cloud": 24_000, "mcp-desktop": 9_000 };

function rowsOf(name: "mcp-cloud" | "mcp-desktop", others: readonly Peer[], rounds: readonly Round[]): Row[] {
  const all = (figure: (start: Start) => number) => {
    const of = (subject: Subject) => median(rounds.map(({ starts }) => figure(starts[subject])));
    return { grove: of(name), others: Object.fromEntries(others.map((other) => [other, of(other)])) };
  };
  const rows: Row[] = [
    {
      measure: `${name}: time, ms`,
      floor: median(rounds.map(({ floor }) => floor)),
      ...all(({ ms }) => ms),
      ratio: median(rounds.map(({ floor, starts }) => starts[name].ms / floor)),
      aim: { of: "ratio", atMost: 2.5 },
    },
    {
      measure: `${name}: most memory, MiB`,
      ...all(({ peak }) => peak ?? Number.NaN),
      aim: { of: "grove", atMost: 55 },
    },
    {
      measure: `${name}: tools/list, bytes`,
      ...all(({ bytes }) => bytes),
      aim: { of: "grove", atMost: maxBytes[name] },
    },
  ];
  // Without /proc, the memory is unknown.
  return rows.filter(({ grove }) => !Number.isNaN(grove));
}
