import { newId } from "@grove/db";
import { DAY_MS } from "@grove/schemas";
import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";

/** As many of a caller's calls run at the same time. */
const RUNNING = 8;

const server = await useTestServer({ bounds: { running: RUNNING } });
const { db } = server.database;

it("another caller's statements get their turns between those of a caller with many reports", async () => {
  const [ada, bob] = [await server.signUp("Ada"), await server.signUp("Bob")];
  const events = ["saved", "opened", "shared"];
  const rows = Array.from({ length: 300 }, (_, n) => ({
    id: newId(),
    organization_id: ada.organizationId,
    user_id: ada.user.id,
    event: events[n % events.length] ?? "",
    properties: "{}",
    occurred_at: new Date(),
  }));
  await db.insertInto("analytics_events").values(rows).execute();
  const start = server.completed.length;
  const completedOf = ({ organizationId }: typeof ada) =>
    server.completed.slice(start).filter(({ parameters }) => parameters.includes(organizationId)).length;
  const range = {
    from: new Date(Date.now() - DAY_MS).toISOString(),
    to: new Date(Date.now() + DAY_MS).toISOString(),
  };
  let answered = 0;
  // Each client sends its calls in one GET.
  const reports = Array.from({ length: 4 }, () => server.client(ada.token)).flatMap(({ analytics }) =>
    Array.from({ length: 12 }, async () => {
      const funnel = await analytics.funnel.query({ organizationId: ada.organizationId, events, ...range });
      answered++;
      return funnel;
    }),
  );
  await expect.poll(() => completedOf(ada)).toBeGreaterThan(RUNNING);

  for (let call = 1; call <= 5; call++) {
    const before = completedOf(ada);
    await bob.client.task.list.query({ organizationId: bob.organizationId });
    expect(completedOf(bob)).toBe(call);
    // If statements ran in order of arrival, each statement of the call would wait for all of Ada's waiting statements.
    expect(completedOf(ada) - before).toBeLessThan(RUNNING);
  }
  expect(answered).toBe(0);
  for (const [first] of await Promise.all(reports)) expect(first).toMatchObject({ event: "saved", users: 1 });
});
