import { expect } from "vitest";
import type { RealSession } from "./session";

export const decisions = ["allow", "deny"] as const;

/** Answers the request of a session whose agent reports by hooks. */
export async function answerRequest(session: RealSession, decision: (typeof decisions)[number]) {
  const request = await session.openRequest();
  expect(request.input).toBe("touch made-by-the-model.txt");
  const answered = await session.answer(request.id, decision);
  expect(answered).toMatchObject({ status: "answered", delivery: "delivered" });
  await session.continues();
  if (decision === "allow") {
    await session.commandHasRun();
    await session.isDone("hook");
  } else expect(await session.hasMade()).toBe(false);
  expect((await session.activity())?.source).toBe("hook");
  await expectSameUserFiles(session);
}

/** Ends a session, and expects that no file in which the user configures agents was changed or added. */
export async function expectSameUserFiles(session: RealSession) {
  const { before, after } = await session.end();
  expect(Object.keys(before)).not.toEqual([]);
  expect(after).toEqual(before);
}
