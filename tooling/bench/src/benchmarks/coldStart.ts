import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Benchmark, Row } from "../benchmark";
import { builtProgram, cleanEnvironment, memoryOf } from "../processes";
import { median } from "../stats";

const ROUNDS = 20;

interface Answer {
  id?: number;
  result?: { tools?: unknown[] };
}

/** An MCP server: from its spawn to its answer of tools/list, as a client goes about it. */
async function answerOfToolsList(program: string): Promise<{ ms: number; peak: number | undefined }> {
  const began = performance.now();
  const child = spawn(process.execPath, [program], {
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
      Promise.reject(new Error(`${program} ended before it answered ${method}.`)),
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
    return { ms, peak: memoryOf(child.pid as number)?.peak };
  } finally {
    child.stdin.end();
    await exited;
  }
}

/** What Node itself takes to start and end. */
async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(
    spawn(process.execPath, ["-e", "0"], { env: cleanEnvironment(), stdio: ["ignore", "pipe", "ignore"] }),
    "exit",
  );
  return performance.now() - began;
}

const servers = ["mcp-cloud", "mcp-desktop"] as const;

export const coldStart: Benchmark = {
  name: "cold-start",
  summary: "mcp-cloud and mcp-desktop: spawn to the answer of tools/list",
  async run({ rounds = ROUNDS, progress }) {
    const measured = servers.map((name) => ({ name, program: builtProgram(name), samples: [] as Sample[] }));
    for (let round = 0; round <= rounds; round++) {
      progress(`round ${round} of ${rounds}`);
      const floor = await bareNode();
      for (const { program, samples } of measured) {
        const { ms, peak } = await answerOfToolsList(program);
        // The first round reads the files from the disk.
        if (round > 0) samples.push({ floor, ms, peak });
      }
    }
    return {
      title: "From spawn to the answer of tools/list; floor: `node -e 0`",
      rows: measured.flatMap(({ name, samples }) => rowsOf(name, samples)),
      notes: [`Medians of ${rounds} rounds in turns.`],
    };
  },
};

interface Sample {
  floor: number;
  ms: number;
  peak: number | undefined;
}

function rowsOf(name: string, samples: Sample[]): Row[] {
  const time: Row = {
    measure: `${name}: time, ms`,
    floor: median(samples.map(({ floor }) => floor)),
    grove: median(samples.map(({ ms }) => ms)),
    ratio: median(samples.map(({ floor, ms }) => ms / floor)),
    aim: { of: "ratio", atMost: 2.5 },
  };
  const peaks = samples.flatMap(({ peak }) => peak ?? []);
  if (peaks.length === 0) return [time];
  return [
    time,
    { measure: `${name}: most memory, MiB`, grove: median(peaks), aim: { of: "grove", atMost: 55 } },
  ];
}
