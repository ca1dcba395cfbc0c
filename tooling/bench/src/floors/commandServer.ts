/**
 * The floor of a command: one process of bare node:http, server-sent events and `pg`, with nothing but three awaited
 * commits. No credential, no validation, no notification. argv: the URL of an empty database.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import pg from "pg";
import { serve } from "./serve";

// As many connections as Grove's API has.
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 });
await pool.query(`create table commands (
  id uuid primary key, status text not null, params jsonb not null, result jsonb,
  created_at timestamptz not null default now(), claimed_at timestamptz, finished_at timestamptz)`);

let device: ServerResponse | undefined;
const waiting = new Map<string, (result: unknown) => void>();

async function submit(params: unknown): Promise<unknown> {
  const id = randomUUID();
  const settled = new Promise((resolve) => waiting.set(id, resolve));
  await pool.query({
    name: "insert",
    text: "insert into commands (id, status, params) values ($1, 'queued', $2)",
    values: [id, JSON.stringify(params)],
  });
  await pool.query({
    name: "claim",
    text: "update commands set status = 'claimed', claimed_at = now() where id = $1 and status = 'queued'",
    values: [id],
  });
  device?.write(`data: ${JSON.stringify({ id, params })}\n\n`);
  return settled;
}

async function complete({ id, result }: { id: string; result: unknown }): Promise<void> {
  await pool.query({
    name: "complete",
    text: "update commands set status = 'succeeded', result = $2, finished_at = now() where id = $1 and status = 'claimed'",
    values: [id, JSON.stringify(result)],
  });
  waiting.get(id)?.(result);
  waiting.delete(id);
}

async function bodyOf(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === "/stream") {
    device = response.writeHead(200, { "content-type": "text/event-stream" });
    device.flushHeaders();
    return;
  }
  const body = await bodyOf(request);
  const result = request.url === "/submit" ? await submit(body) : await complete(body);
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result ?? null));
}

serve(answer);
