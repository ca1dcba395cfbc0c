import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { useScene } from "../faults/world/scene";
import { expectSameUserFiles } from "./answers";
import { prepareAgent } from "./prepare";
import { startSession } from "./session";

const scene = useScene(1);

it("gemini works, asks and is done by its record and its screen", async () => {
  const agent = await prepareAgent(scene, "gemini");
  const letModelAnswer = agent.model.hold();
  const session = await startSession(agent);
  await session.reaches("working", "record");
  letModelAnswer();
  await session.shows(/Allow once/);
  await session.reaches("needs_answer", "screen");
  await session.type("1");
  await session.commandHasRun();
  await session.isDone("record");
  await expectSameUserFiles(session);
});

it("gemini with pasted hooks reports by them, and is answered in its terminal", async () => {
  const agent = await prepareAgent(scene, "gemini");
  const path = join(agent.home, ".gemini", "settings.json");
  const hooks = JSON.parse(await agent.groveDevice("agents", "print", "gemini"));
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), ...hooks }));
  const session = await startSession(agent);
  await session.reaches("needs_permission", "hook");
  await session.shows(/Allow once/);
  await session.type("1");
  await session.commandHasRun();
  await session.isDone("hook");
  await expectSameUserFiles(session);
});
