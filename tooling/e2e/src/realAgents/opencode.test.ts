import { it } from "vitest";
import { useScene } from "../faults/world/scene";
import { answerRequest, decisions } from "./answers";
import { prepareAgent } from "./prepare";
import { startSession } from "./session";

const scene = useScene(1);

it.each(decisions)("opencode reports its turn, and takes the answer %s to its request", async (decision) => {
  await answerRequest(await startSession(await prepareAgent(scene, "opencode")), decision);
});
