import { it } from "vitest";
import { useScene } from "../faults/world/scene";
import { answerRequest, decisions, expectSameUserFiles } from "./answers";
import { prepareAgent } from "./prepare";
import { type RealSession, startSession } from "./session";

const scene = useScene(1);

it.each(decisions)("claude reports its turn, and takes the answer %s to its request", async (decision) => {
  const session = await startSession(await prepareAgent(scene, "claude"));
  await trust(session);
  await answerRequest(session, decision);
});

it("claude shows its own prompt while Grove holds its request, and a key answers it", async () => {
  const session = await startSession(await prepareAgent(scene, "claude"));
  await trust(session);
  await session.asks();
  await session.shows(/Do you want to/);
  await session.type("1");
  await session.commandHasRun();
  await session.isDone("hook");
  await expectSameUserFiles(session);
});

/** Claude Code first asks whether to trust the directory; "Yes" is the second option. */
async function trust(session: RealSession): Promise<void> {
  await session.shows(/❯ No, exit/);
  await session.type("\u001bOB");
  await session.shows(/❯ Yes, I trust/);
  await session.type("\r");
}
