import { GroveError } from "@grove/auth";
import { openDatabase } from "@grove/db";
import Fastify from "fastify";
import { afterAll, expect, it } from "vitest";
import { noDisk } from "../limits/disk";
import { failure, useHttpServer } from "../testing/http";
import { healthRoutes } from "./health";

const { server, drain, url } = await useHttpServer();
const get = (url: string) => server.inject({ method: "GET", url });

it("is alive and ready", async () => {
  expect((await get("/health")).json()).toEqual({ status: "ok" });
  expect((await get("/ready")).json()).toEqual({ status: "ready" });
});

it("stays alive without its database, and is not ready", async () => {
  const database = await openDatabase({ url });
  const alone = Fastify();
  afterAll(() => alone.close());
  await healthRoutes(alone, { database, disk: noDisk, stopping: new AbortController().signal });
  expect((await alone.inject({ method: "GET", url: "/ready" })).statusCode).toBe(200);
  await database.close();
  expect((await alone.inject({ method: "GET", url: "/health" })).statusCode).toBe(200);
  const response = await alone.inject({ method: "GET", url: "/ready" });
  expect(response.json()).toMatchObject({ error: { data: { code: "SERVICE_UNAVAILABLE" } } });
});

it("logs once why it is not ready, as long as the reason lasts", async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const alone = Fastify({ logger: { level: "error", stream } });
  afterAll(() => alone.close());
  let reason: string | undefined = "disk_full";
  const full = () => {
    if (reason !== undefined) throw new GroveError("SERVICE_UNAVAILABLE", reason, { reason: "disk_full" });
  };
  const database = await openDatabase({ url });
  afterAll(() => database.close());
  const stopping = new AbortController().signal;
  await alone.register(healthRoutes, { database, disk: { ...noDisk, requireSpace: full }, stopping });
  const statuses: number[] = [];
  for (const next of ["disk_full", "disk_full", "other", undefined, "disk_full", "disk_full"]) {
    reason = next;
    statuses.push((await alone.inject({ method: "GET", url: "/ready" })).statusCode);
  }
  expect(statuses).toEqual([503, 503, 503, 200, 503, 503]);
  expect(lines.map((line) => JSON.parse(line).err.message)).toEqual(["disk_full", "other", "disk_full"]);
});

it("is not ready while it shuts down", async () => {
  drain.abort();
  expect(failure(await get("/ready"))).toMatchObject({
    status: 503,
    code: "SERVICE_UNAVAILABLE",
    reason: "server_draining",
  });
  expect((await get("/health")).statusCode).toBe(200);
});
