import { it } from "vitest";
import { useScene } from "../faults/world/scene";
import { answerRequest, decisions, expectSameUserFiles } from "./answers";
import { prepareAgent } from "./prepare";
import { startSession } from "./session";

const scene = useScene(1);

it.each(decisions)("claude reports its turn, and takes the answer %s to its request", async (decision) => {
  await answerRequest(await startSession(await prepareAgent(scene, "claude")), decision);
});

it("claude shows its own prompt while Grove holds its request, and a key answers it", async () => {
  const session = await startSession(await prepareAgent(scene, "claude"));
  await session.openRequest();
  await session.shows(/Do you want to/);
  await session.type("1");
  await session.commandHasRun();
  await session.isDone("hook");
  await expectSameUserFiles(session);
});
