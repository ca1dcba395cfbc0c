import { expect, it } from "vitest";
import { sessionWithHooks } from "../testing/hooks";
import { anyId, ask, newTenant } from "../testing/tool";

it("waits until one of several sessions meets the condition, and shows all states", async () => {
  const ada = await newTenant();
  const [first, second] = [await sessionWithHooks(ada), await sessionWithHooks(ada)];
  const wait = async (until: string, more: object = {}) =>
    (await ask(ada, "wait_for_sessions", { sessionIds: [first.id, second.id], until, ...more })).data
      ?.sessions;
  await first.state("working");
  await second.state("working");
  // A silent terminal does not mean that an agent with hooks asks something.
  await first.waiting(true);
  expect(await wait("attention", { waitMs: 0 })).toMatchObject([
    { sessionId: first.id, status: "running", state: "working", source: "hook", isReached: false },
    { sessionId: second.id, status: "running", state: "working", isReached: false },
  ]);
  const turn = wait("turn");
  await second.state("done");
  expect(await turn).toMatchObject([
    { state: "working", isReached: false },
    { status: "waiting_for_input", state: "done", isReached: true },
  ]);
  const attention = wait("attention");
  const limitedUntil = "2030-01-01T00:00:00.000Z";
  await second.state("limited", { limitedUntil });
  expect(await attention).toMatchObject([{ isReached: false }, { state: "limited", limitedUntil }]);
  const end = wait("end");
  await first.end();
  const [ended] = (await end) as object[];
  expect(ended).toEqual({ sessionId: first.id, status: "exited", isReached: true });
});

it("finds no session that does not exist", async () => {
  const answer = await ask(await newTenant(), "wait_for_sessions", { sessionIds: [anyId], until: "end" });
  expect(answer.text).toMatch(new RegExp(`^not_found: There is no agent session ${anyId}\\.`));
});
