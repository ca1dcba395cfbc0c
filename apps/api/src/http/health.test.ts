import { openDatabase } from "@grove/db";
import Fastify from "fastify";
import { afterAll, expect, it } from "vitest";
import { noDisk } from "../lib/disk";
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
  expect(response.json()).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
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
