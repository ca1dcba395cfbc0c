import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@grove/testing/freePort";
import { Line } from "@grove/testing/line";
import { startNats } from "@grove/testing/nats";
import { afterAll, expect, it } from "vitest";
import { notify } from "../notifier";
import { type GroveDatabase, openDatabase } from "../open";
import { useTestDatabase } from "../testing";

const nats = await startNats({ fresh: true });
afterAll(() => nats.stop());
const line = await Line.to(Number(new URL(nats.url).port));
afterAll(() => line.end());

// Three processes; the third one's line to NATS can be cut.
const throughLine = new URL(nats.url);
throughLine.port = `${line.port}`;
const first = await useTestDatabase({ natsUrl: nats.url });
const { url = "" } = first;
const open = async (natsUrl: string) => {
  const database = await openDatabase({ url, natsUrl });
  afterAll(() => database.close());
  return database;
};
const second = await open(nats.url);
const third = await open(throughLine.href);
const all = [first, second, third];

/** PostgreSQL gives back after five seconds, in which the machine has other things to do. */
const POLL = { interval: 250 };
/** The aim is 5 s, on a machine that has time. */
const LATEST_MS = 15_000;

/**
 * Announces again and again, from each process to each, on NATS's channels and on one of the database's. Tells the
 * longest that anybody waited for an announcement, or for being told to read again.
 */
async function longestWaits(during: () => Promise<unknown>) {
  const longest = { command_changed: 0, credential_revoked: 0 };
  let isOver = false;
  const wait = (from: GroveDatabase, to: GroveDatabase, channel: keyof typeof longest, key: string) =>
    new Promise<void>((resolve, reject) => {
      let began = Number.POSITIVE_INFINITY;
      let committedAt = Number.POSITIVE_INFINITY;
      const heard = () => {
        clearTimeout(late);
        end();
        longest[channel] = Math.max(longest[channel], performance.now() - began);
        resolve();
      };
      const late = setTimeout(() => reject(new Error(`${channel} ${key} was lost`)), LATEST_MS);
      const end = to.notifier.subscribe(channel, key, ({ kind }) => {
        // A reading before the commit would find nothing.
        if (kind === "notification" || performance.now() > committedAt) heard();
      });
      void to.notifier.settled().then(async () => {
        began = performance.now();
        await notify(from.db, channel, key);
        committedAt = performance.now();
      }, reject);
    });
  const pairs = all.flatMap((from) => all.filter((to) => to !== from).map((to) => [from, to] as const));
  const lanes = pairs.map(async ([from, to], lane) => {
    for (let n = 0; !isOver; n++) {
      await wait(from, to, "command_changed", `${lane}-${n}`);
      await wait(from, to, "credential_revoked", `${lane}-${n}`);
      await sleep(100);
    }
  });
  try {
    await during();
  } finally {
    isOver = true;
  }
  await Promise.all(lanes);
  return longest;
}

const areConnected = (...which: boolean[]) =>
  expect.poll(() => all.map(({ notifier }) => notifier.bus?.connected), { interval: 20 }).toEqual(which);

/** Resolves when NATS carries the announcements again: the third does not hear what nobody there listens to. */
async function untilCarried() {
  const heard = () => third.notifier.counts.heard.get("device_wake") ?? 0;
  await expect
    .poll(async () => {
      const before = heard();
      await notify(first.db, "device_wake", "nobody");
      // It takes the same way, in the same order.
      await new Promise<void>((resolve) => {
        const end = third.notifier.subscribe("command_changed", "marker", () => {
          end();
          resolve();
        });
        void third.notifier.settled().then(() => notify(first.db, "command_changed", "marker"));
      });
      return heard() - before;
    }, POLL)
    .toBe(0);
}

it.each([
  [
    "is killed, and comes back",
    async () => {
      process.kill(nats.pid ?? 0, "SIGKILL");
      await areConnected(false, false, false);
      await nats.restart();
    },
  ],
  [
    "is frozen",
    async () => {
      process.kill(nats.pid ?? 0, "SIGSTOP");
      await areConnected(false, false, false);
      process.kill(nats.pid ?? 0, "SIGCONT");
    },
  ],
  [
    "is silently cut off from one process",
    async () => {
      line.stall();
      await areConnected(true, true, false);
      line.close();
      line.open();
    },
  ],
])("loses nothing when the server %s", async (fault, strike) => {
  await untilCarried();
  const longest = await longestWaits(async () => {
    await strike();
    await areConnected(true, true, true);
    await untilCarried();
  });
  process.stderr.write(
    `NATS ${fault}: longest wait ${longest.command_changed.toFixed(0)} ms, revocation ${longest.credential_revoked.toFixed(0)} ms\n`,
  );
  expect(longest.command_changed).toBeLessThan(LATEST_MS);
  expect(longest.credential_revoked).toBeLessThan(3_000);
});

it("does not start with a wrong address, password or right, and says why in one line", async () => {
  const refused = async (natsUrl: string) => {
    const began = performance.now();
    const error = await openDatabase({ url, natsUrl }).catch((thrown: Error) => thrown);
    expect(performance.now() - began).toBeLessThan(9_000);
    return error instanceof Error ? error.message : "it started";
  };
  const port = await freePort();
  expect(await refused(`nats://127.0.0.1:${port}`)).toBe(
    `Cannot connect to NATS at nats://127.0.0.1:${port}: connection refused. Are the name, the password and the address in NATS_URL right?`,
  );
  const wrong = new URL(nats.url);
  wrong.password = "wrong";
  expect(await refused(wrong.href)).toMatch(
    /^Cannot connect to NATS at nats:\/\/127[^@]*Authorization Violation/,
  );
  for (const right of ["publish", "subscribe"] as const) {
    const narrow = await startNats({ fresh: true, [right]: ["grove.*.device_wake.>"] });
    expect(await refused(narrow.url)).toMatch(
      /^NATS at nats:\/\/127.*refuses: .*command_changed.*Allow this user to publish and to subscribe to "grove\.[0-9a-f]{16}\.>"\.$/,
    );
    await narrow.stop();
  }
});
