import { randomUUID } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { initialTerminalSize } from "@grove/schemas";
import { Screen } from "@grove/terminal";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { isThere } from "../../lib/fileSystem";
import { Refusal } from "../../testing/cloud";
import { testContext } from "../../testing/deps";
import { configure, node, startSessionDevice, startTestSession } from "../../testing/session";
import { writeRecord } from "../reporting/sessionFiles";

const unreachable = () => {
  throw new Refusal("SERVICE_UNAVAILABLE");
};

it("while the cloud is unreachable a program runs on, and its last lines are reported afterwards", async () => {
  const { device, workspace } = await startSessionDevice();
  const source = `
    process.stdin.once("data", () => {
      for (let n = 0; n < 50_000; n++) console.log(String(n).padStart(6, "0"));
      require("node:fs").writeFileSync("done", "");
      process.stdin.once("data", () => console.log("last words") || process.exit());
    });
    console.log("ready");`;
  const session = await startTestSession(device, workspace.id, { command: node(source, "{prompt}") });
  await session.said("ready");
  device.test.faults["agent.reportSession"] = unreachable;
  await session.type("\r");
  await until(() => isThere(join(workspace.path, "done")));
  await session.type("\r");
  await until(async () => (await session.processes()).length === 0);
  device.test.faults["agent.reportSession"] = undefined;
  device.sessions.retryNow();
  await session.reported("end", { status: "exited" });
  const viewer = new Screen({ ...initialTerminalSize, scrollback: 1_000 });
  await viewer.write(session.output());
  const numbers = viewer.lines().flatMap((line) => (/^\d{6}$/.test(line) ? Number(line) : []));
  expect(numbers.length).toBeGreaterThan(400);
  expect(numbers).toEqual(numbers.map((_, at) => 50_000 - numbers.length + at));
  expect(viewer.lines().at(-1)).toBe("last words");
  viewer.close();
});

it.each(["the API", "a proxy"])(
  "a chunk that %s refuses for its size is sent in pieces, and nothing is dropped",
  async (who) => {
    const { device, workspace } = await startSessionDevice(who === "a proxy" ? 20_000 : undefined);
    device.test.faults["agent.reportSession"] = () => {
      if ((device.test.calls.at(-1)?.input.data?.length ?? 0) > 10_000 && who === "the API")
        throw new Refusal("PAYLOAD_TOO_LARGE");
    };
    const burst =
      "for (let n = 0; n < 1_000; n++) console.log(String(n).padStart(6, '0') + '─🌳'.repeat(20));";
    const session = await startTestSession(device, workspace.id, { command: node(burst, "{prompt}") });
    await session.reported("end", { status: "exited" });
    const lines = session.output().split("\r\n").slice(0, -1);
    expect(lines).toEqual(
      Array.from({ length: 1_000 }, (_, n) => String(n).padStart(6, "0") + "─🌳".repeat(20)),
    );
    expect(session.chunks().map(({ sequence }) => sequence)).toEqual(session.chunks().map((_, at) => at + 1));
  },
);

it("without viewers, output is batched until a viewer, a key or the end", async () => {
  const { device, workspace } = await startSessionDevice();
  // Longer than a test may take.
  device.test.pace.paceMs = 600_000;
  const source = `
    const fs = require("node:fs");
    console.log("ready");
    const timer = setInterval(() => {
      if (!fs.existsSync("go")) return;
      clearInterval(timer);
      process.stdout.write("collected ", () => fs.writeFileSync("gone", ""));
    }, 10);
    process.stdin.on("data", (key) => String(key).includes("q") ? process.exit() : console.log("typed"));`;
  const session = await startTestSession(device, workspace.id, { command: node(source, "{prompt}") });
  await session.said("ready");
  await writeFile(join(workspace.path, "go"), "");
  await until(() => isThere(join(workspace.path, "gone")));
  expect(session.output()).not.toContain("collected");
  device.sessions.onWatched(session.id);
  await session.said("collected");
  await session.type("a\r");
  await session.said("typed");
  await session.type("q\r");
  await session.reported("end", { status: "exited" });
});

it("a lost answer does not duplicate output", async () => {
  const { device, workspace } = await startSessionDevice();
  const command = ["sh", "-c", "for n in 1 2 3 4 5; do echo $n; sleep 0.1; done", "{prompt}"];
  const starting = startTestSession(device, workspace.id, { command });
  const session = await starting;
  await session.said("1");
  // The report has arrived, but not its answer.
  let lost = 0;
  device.test.afterwards["agent.reportSession"] = () => {
    if (lost++ < 3) unreachable();
  };
  await session.reported("end");
  const bySequence = new Map(session.chunks().map(({ sequence, data }) => [sequence, data]));
  expect(session.chunks().length).toBeGreaterThan(bySequence.size);
  expect([...bySequence.values()].join("")).toBe("1\r\n2\r\n3\r\n4\r\n5\r\n");
});

it("a session that the cloud no longer knows ends", async () => {
  const { device, workspace } = await startSessionDevice();
  const session = await startTestSession(device, workspace.id, {
    command: node("setInterval(() => console.log(1), 50)", "{prompt}"),
  });
  await session.said("1");
  device.test.faults["agent.reportSession"] = () => {
    throw new Refusal("NOT_FOUND");
  };
  await until(async () => (await session.processes()).length === 0);
  await session.forgotten();
});

it("the end of a session whose start reaches the cloud late is reported once the session is known there", async () => {
  const { device, workspace } = await startSessionDevice();
  await configure(device, { touch: { command: ["touch", "started", "{prompt}"] } });
  const unknown = () => {
    throw new Refusal("NOT_FOUND");
  };
  device.test.faults["agent.reportSession"] = unknown;
  const request = { workspaceId: workspace.id, agent: "touch", prompt: "x" };
  await expect(device.sessions.start(request, testContext())).rejects.toThrow("The cloud refused");
  const ends = () => device.test.calls.filter(({ input }) => input?.type === "end").length;
  await until(() => ends() >= 2);
  // The start has arrived by now.
  device.test.faults["agent.reportSession"] = undefined;
  await until(() => device.test.sessionReports.some(({ type }) => type === "end"));
  await until(async () => (await readdir(device.home.sessionsDir)).length === 0);
});

it("an old end is not reported repeatedly to a cloud that does not know the session", async () => {
  const { device } = await startSessionDevice();
  const id = randomUUID();
  const record = { id, workspaceId: randomUUID(), agent: "x", startedAt: "2026-01-01T00:00:00.000Z" };
  await writeRecord(device.home, record);
  device.test.faults["agent.reportSession"] = () => {
    throw new Refusal("NOT_FOUND");
  };
  device.sessions.recover();
  await until(async () => (await readdir(device.home.sessionsDir)).length === 0);
  expect(device.test.count("agent.reportSession", id)).toBe(1);
});

it("a start that the cloud refuses starts nothing", async () => {
  const { device, workspace } = await startSessionDevice();
  await configure(device, { touch: { command: ["touch", "started", "{prompt}"] } });
  device.test.faults["agent.reportSession"] = () => {
    throw new Refusal("NOT_FOUND");
  };
  const start = device.sessions.start(
    { workspaceId: workspace.id, agent: "touch", prompt: "x" },
    testContext(),
  );
  await expect(start).rejects.toThrow("The cloud refused the session");
  expect(await isThere(join(workspace.path, "started"))).toBe(false);
  expect(device.sessions.registry.running()).toEqual([]);
});

it("a program that waits for input is distinguished from one that works silently", async () => {
  const { device, workspace } = await startSessionDevice();
  await writeFile(join(workspace.path, "ask.sh"), 'read -p "Sure? " answer; echo "so $answer"; sleep 1000');
  const asking = await startTestSession(device, workspace.id, { command: ["bash", "ask.sh", "{prompt}"] });
  const working = await startTestSession(device, workspace.id, {
    command: node("console.log('at work'); setInterval(() => {}, 1000)", "{prompt}"),
  });
  const reading = await startTestSession(device, workspace.id, {
    command: node("process.stdin.setRawMode(true).on('data', () => {}); console.log('> ')", "{prompt}"),
  });
  await working.said("at work");
  await asking.reported("waiting", { waitingForInput: true, questionText: "Sure?" });
  await reading.reported("waiting", { waitingForInput: true });
  expect(device.sessions.registry.running().map(({ waitingForInput }) => waitingForInput)).toEqual([
    true,
    false,
    true,
  ]);
  await asking.type("yes\r");
  await asking.said("so yes");
  await asking.reported("waiting", { waitingForInput: false });
});
