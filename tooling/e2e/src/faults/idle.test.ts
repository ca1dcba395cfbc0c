import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { useScene } from "./world/scene";

const scene = useScene();

/** The most bytes that a heartbeat, a ping and their frames take, with the head of the stream's response. */
const BYTES_PER_HEARTBEAT = 1_500;

it("a connected, idle device exchanges heartbeats and pings, and nothing else", async () => {
  const device = await scene.device("idle");
  await device.connect();
  const { line } = device;
  const heartbeats = () => line.requests.filter((request) => request.includes("agent.heartbeat"));
  await until(() => heartbeats().length >= 1, "a heartbeat was answered");
  const { connections } = line;
  await until(() => heartbeats().length >= 3, "three heartbeats were answered");
  // The stream has one connection, and the heartbeats share another.
  expect(line.connections).toBe(connections);
  const others = line.requests.filter((request) => !request.includes("agent.heartbeat"));
  // Before connecting, registration read the organization and made the device.
  expect(others.map((request) => request.replace(/\?.*/, ""))).toEqual([
    "GET /api/trpc/organization.list",
    "POST /api/trpc/device.register",
    "GET /api/trpc/device.connect",
  ]);
  expect(line.received).toBeLessThan(5_000 + heartbeats().length * BYTES_PER_HEARTBEAT);
});
