import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { useScene } from "../faults/world/scene";
import { expectSameUserFiles } from "./answers";
import { startSession } from "./session";

const scene = useScene(1);

it("gemini works, asks and is done by its record and its screen", async () => {
  const session = await startSession(scene, "gemini", { isModelHeld: true });
  await session.reaches("working", "record");
  session.letModelAnswer();
  await session.shows(/Allow once/);
  await session.reaches("asks_question", "screen");
  await session.type("1");
  await session.commandHasRun();
  await session.isDone("record");
  await expectSameUserFiles(session);
});

it("gemini with pasted hooks reports by them, and is answered in its terminal", async () => {
  const session = await startSession(scene, "gemini", {
    setUp: async (groveDevice, home) => {
      const path = join(home, ".gemini", "settings.json");
      const hooks = JSON.parse(await groveDevice("agents", "print", "gemini"));
      await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), ...hooks }));
    },
  });
  await session.reaches("asks_permission", "hook");
  await session.shows(/Allow once/);
  await session.type("1");
  await session.commandHasRun();
  await session.isDone("hook");
  await expectSameUserFiles(session);
});
