import { natsSources, startNats } from "@grove/testing/nats";
import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { newId } from "../ids";
import { EVERY_KEY, type NotifierEvent, notify } from "../notifier";
import { openDatabase } from "../open";
import { useTestDatabase } from "../testing";
import { prefixOf } from "./nats-notifier";
import { testNotifier } from "./testing";

const sources = process.env.NATS_TEST_URL ? (["environment"] as const) : natsSources();

// The tests of the port hold with our small server as with the real one, where it is installed.
for (const source of sources) {
  const nats = await startNats({ source });
  afterAll(() => nats.stop());
  const first = await useTestDatabase({ natsUrl: nats.url });
  const { url = "" } = first;
  const [second, third] = [
    await openDatabase({ url, natsUrl: nats.url }),
    await openDatabase({ url, natsUrl: nats.url }),
  ];
  afterAll(async () => {
    await second.close();
    await third.close();
  });

  describe(`by the server of source ${source}`, () => {
    testNotifier(first);

    it("delivers to the process that listens, once, and to no other", async () => {
      const heard: NotifierEvent[] = [];
      const end = second.notifier.subscribe("command_changed", "a", (event) => heard.push(event));
      await second.notifier.settled();
      const counts = () =>
        [first, second, third].map(({ notifier }) => notifier.counts.heard.get("command_changed") ?? 0);
      // On a busy machine NATS may seem to be away for a while.
      await expect
        .poll(async () => {
          heard.length = 0;
          const before = counts();
          for (let n = 0; n < 10; n++) await notify(first.db, "command_changed", `a ${n}`);
          await expect.poll(() => heard.length).toBeGreaterThanOrEqual(10);
          return counts().map((count, index) => count - (before[index] ?? 0));
        })
        // The first heard its own.
        .toEqual([10, 10, 0]);
      expect(heard.map((event) => event.kind === "notification" && event.detail)).toEqual([..."0123456789"]);
      end();
    });

    it("brings to a process what concerns its own ids, to others what they listen to", async () => {
      const id = second.notifier.newId();
      const heard: string[] = [];
      const end = third.notifier.subscribe("command_changed", id, () => heard.push("by third"));
      await third.notifier.settled();
      const counts = () =>
        [second, third].map(({ notifier }) => notifier.counts.heard.get("command_changed") ?? 0);
      await expect
        .poll(async () => {
          heard.length = 0;
          const before = counts();
          await notify(first.db, "command_changed", `${id} succeeded`);
          await notify(first.db, "command_changed", `${newId()} succeeded`);
          await expect.poll(() => heard).toContain("by third");
          return counts().map((count, index) => count - (before[index] ?? 0));
        })
        // The second has not subscribed to anything.
        .toEqual([1, 1]);
      end();
    });

    it("leaves to the database what must not depend on NATS", async () => {
      const heard: string[] = [];
      const end = second.notifier.subscribe("credential_revoked", EVERY_KEY, () => heard.push("revoked"));
      await notify(first.db, "credential_revoked", "a");
      await expect.poll(() => heard).toEqual(["revoked"]);
      end();
    });

    it("names the database by what every role may read", async () => {
      const prefix = await first.db.transaction().execute(async (trx) => {
        await sql`create role nobody_special`.execute(trx);
        await sql`set local role nobody_special`.execute(trx);
        const name = await prefixOf(trx);
        await sql`reset role`.execute(trx);
        await sql`drop role nobody_special`.execute(trx);
        return name;
      });
      expect(prefix).toMatch(/^grove\.[0-9a-f]{16}$/);
      expect(prefix).toBe(await prefixOf(first.db));
    });

    it("leaves all to the database while a process has no NATS", async () => {
      const without = await openDatabase({ url });
      const heard: string[] = [];
      without.notifier.subscribe("command_changed", EVERY_KEY, (event) =>
        heard.push(event.kind === "notification" ? event.key : event.kind),
      );
      const end = second.notifier.subscribe("command_changed", "a", () => heard.push("by second"));
      await second.notifier.settled();
      // The first hears of that process soon.
      await expect
        .poll(async () => {
          heard.length = 0;
          await notify(first.db, "command_changed", "a");
          await expect.poll(() => heard).toContain("by second");
          return heard;
        })
        .toContain("a");
      end();
      await without.close();
    });
  });
}
