import { createHash } from "node:crypto";
import { appendFile, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentReportSessionInput } from "@grove/schemas";
import { type GeminiStep, geminiScript, writeScriptedGemini } from "@grove/testing/scriptedGemini";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { describe, expect, it, onTestFinished } from "vitest";
import { olderThanSlack } from "../../testing/recordFile";
import { startSessionDevice, startTestSession } from "../../testing/session";
import { followGeminiRecord } from "../activity/geminiRecord";

type State = Extract<AgentReportSessionInput, { type: "state" }>;

/** A session of an agent that writes its record like Gemini CLI, and does these steps. */
async function startScripted(...steps: GeminiStep[]) {
  const { device, workspace } = await startSessionDevice();
  const directory = await temporaryDirectory();
  const agent = {
    command: [await writeScriptedGemini(directory), "{prompt}"],
    env: { GEMINI_CLI_HOME: directory },
  };
  const session = await startTestSession(device, workspace.id, agent, geminiScript(...steps));
  const states = () =>
    device.test.sessionReports
      .filter((report): report is State => report.type === "state" && report.id === session.id)
      .map(({ state, source }) => `${state} (${source})`);
  return { ...session, states, reached: (state: string) => until(() => states().at(-1) === state) };
}

describe("Gemini CLI without hooks", () => {
  it("is done when its record has a text and its terminal waits, and works while a tool runs", async () => {
    const session = await startScripted({ tool: "run_shell_command" }, { say: "All done." });
    await session.reached("working (record)");
    await session.said("..........");
    expect(session.states().join()).not.toContain("done");
    await session.type("x");
    await session.reached("done (record)");
  });

  it("counts as asking, not as done, when it shows a question after a text", async () => {
    const session = await startScripted({ ask: "run_shell_command" }, { say: "All done." });
    await session.reached("needs_answer (screen)");
    expect(session.states().join()).not.toContain("done");
    await session.type("1");
    await session.reached("done (record)");
  });
});

const line = (fields: object) => `${JSON.stringify(fields)}\n`;
const metaOf = (cwd: string, kind = "main") =>
  line({ sessionId: "s", projectHash: createHash("sha256").update(cwd).digest("hex"), kind });
const user = line({ id: "1", type: "user", content: [{ text: "x" }] });
const answer = line({ id: "2", type: "gemini", content: "All done." });

/** Follows the records of `/work` that are in a home. */
async function follow() {
  const home = await temporaryDirectory();
  const chats = join(home, ".gemini", "tmp", "work", "chats");
  await mkdir(chats, { recursive: true });
  const states: string[] = [];
  return {
    chats,
    home,
    states,
    start: () =>
      onTestFinished(
        followGeminiRecord({
          cwd: "/work",
          env: { GEMINI_CLI_HOME: home },
          onState: (state) => states.push(state),
        }),
      ),
  };
}

describe("Gemini CLI's record", () => {
  it("ignores records of other directories and subagents, and behind links", async () => {
    const { chats, home, states, start } = await follow();
    start();
    await writeFile(join(chats, "session-1.jsonl"), metaOf("/elsewhere") + answer);
    await writeFile(join(chats, "session-2.jsonl"), metaOf("/work", "subagent") + answer);
    await writeFile(join(home, "target"), metaOf("/work") + answer);
    await symlink(join(home, "target"), join(chats, "session-3.jsonl"));
    await writeFile(join(chats, "session-4.jsonl"), metaOf("/work") + user);
    await until(() => states.length > 0);
    expect(states).toEqual(["working"]);
  });

  it("is not one that was made before the start", async () => {
    const { chats, states, start } = await follow();
    const old = join(chats, "session-1.jsonl");
    await writeFile(old, metaOf("/work") + answer);
    await olderThanSlack(old);
    start();
    await writeFile(join(chats, "session-2.jsonl"), metaOf("/work") + user);
    await until(() => states.length > 0);
    expect(states).toEqual(["working"]);
  });

  it("is not in a directory that is a link", async () => {
    const { home, states, start } = await follow();
    const elsewhere = join(home, "elsewhere");
    await mkdir(join(home, ".gemini", "tmp", "a"));
    await mkdir(elsewhere);
    await symlink(elsewhere, join(home, ".gemini", "tmp", "a", "chats"));
    start();
    await writeFile(join(elsewhere, "session-1.jsonl"), metaOf("/work") + answer);
    await writeFile(join(home, ".gemini", "tmp", "work", "chats", "session-1.jsonl"), metaOf("/work") + user);
    await until(() => states.length > 0);
    expect(states).toEqual(["working"]);
  });

  it("is followed past lines that are cut or unknown, and one that is still being written", async () => {
    const { chats, states, start } = await follow();
    start();
    const file = join(chats, "session-1.jsonl");
    const unknown = line({ $set: { lastUpdated: "now" } }) + line({ id: "3", type: "info", content: "x" });
    await writeFile(file, metaOf("/work").slice(0, 20));
    await appendFile(file, metaOf("/work").slice(20) + answer.replace("}\n", "\n") + unknown + user);
    await until(() => states.length > 0);
    await appendFile(file, answer.slice(0, 20));
    await appendFile(file, answer.slice(20));
    await until(() => states.length > 1);
    expect(states).toEqual(["working", "perhaps_done"]);
  });
});
