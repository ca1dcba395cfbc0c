import { expect, it } from "vitest";
import { useScene } from "../faults/world/scene";
import { answerRequest, decisions, expectSameUserFiles } from "./answers";
import { prepareAgent } from "./prepare";
import { argumentsOfSession } from "./processes";
import { startSession } from "./session";

const scene = useScene(1);

async function startWithConsent() {
  const agent = await prepareAgent(scene, "codex");
  await agent.groveDevice("agents", "enable", "codex", "--yes");
  return startSession(agent);
}

it.each(decisions)("codex reports its turn, and takes the answer %s to its request", async (decision) => {
  await answerRequest(await startWithConsent(), decision);
});

it("codex shows its own prompt at a key, which the next key answers", async () => {
  const session = await startWithConsent();
  await session.openRequest();
  await session.shows(/Running .*hook/i);
  await session.type("\u001b[C");
  await session.shows(/Would you like to run/);
  expect((await session.activity())?.state).toBe("needs_permission");
  await session.type("y");
  await session.commandHasRun();
  await session.isDone("hook");
  await expectSameUserFiles(session);
});

it("codex shows its own prompt when its request is released", async () => {
  const session = await startWithConsent();
  const request = await session.openRequest();
  await session.shows(/Running .*hook/i);
  expect(argumentsOfSession(session.sessionId).join(" ")).toContain("hooks.PermissionRequest=");
  await session.release(request.id);
  await session.shows(/Would you like to run/);
  expect(await session.hasMade()).toBe(false);
  await session.type("y");
  await session.commandHasRun();
  await session.isDone("hook");
  await expectSameUserFiles(session);
});

it("codex without consent gets no hook, asks in its terminal, and is done by its record", async () => {
  const session = await startSession(await prepareAgent(scene, "codex"));
  await session.shows(/Would you like to run/);
  const args = argumentsOfSession(session.sessionId);
  expect(args.join(" ")).toContain("on-request");
  expect(args.join(" ")).not.toContain("hooks");
  await session.type("y");
  await session.commandHasRun();
  await session.isDone("record");
  await expectSameUserFiles(session);
});
