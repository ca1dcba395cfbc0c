import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { node, startSessionDevice, startTestSession } from "../../testing/session";
import { typedForm } from "./answer";

/** Asks one question after another, each on a clear screen, and keeps each key in the file `keys`. */
const asking = (...questions: string[]) =>
  node(
    `const questions = ${JSON.stringify(questions)};
    const { appendFileSync } = require("node:fs");
    const ask = () => process.stdout.write("\\x1b[2J\\x1b[H" + (questions.shift() ?? "done").replaceAll("\\n", "\\r\\n"));
    process.stdin.setRawMode(true);
    process.stdin.on("data", (data) => { for (const key of String(data)) { appendFileSync("keys", key); ask(); } });
    ask();`,
    "--",
    "{prompt}",
  );
const menu = (question: string) => `${question}\n❯ 1. Yes\n  2. No\n`;

async function startAsking(...questions: string[]) {
  const { device, workspace } = await startSessionDevice();
  const session = await startTestSession(device, workspace.id, { command: asking(...questions) });
  await session.said(questions[0]?.split("\n")[0] ?? "");
  const keys = () => readFile(join(workspace.path, "keys"), "utf8").catch(() => "");
  const number = () => device.sessions.registry.get(session.id).screenNumber();
  return { device, session, keys, number };
}

it("of two answers to one question, one is typed, and the other gets the next question", async () => {
  const { session, keys, number } = await startAsking(menu("Edit a.txt?"), menu("Run rm -rf build?"));
  const screen = await number();
  const answers = await Promise.allSettled([session.type("1", screen), session.type("1", screen)]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(answers[1]).toMatchObject({ reason: { reason: "screen_changed" } });
  await session.said("Run rm");
  await expect(session.type("1", screen)).rejects.toMatchObject({
    reason: "screen_changed",
    screen: { number: expect.any(Number), lines: expect.stringContaining("Run rm -rf build?") },
  });
  expect(await keys()).toBe("1");
  await session.type("2", await number());
  await until(async () => (await keys()) === "12");
});

it("the return after a key is not pressed once the key has answered", async () => {
  const { session, keys, number } = await startAsking(menu("Edit a.txt?"), menu("Run rm -rf build?"));
  await session.type("1\r", await number());
  await session.said("Run rm");
  expect(await keys()).toBe("1");
});

it("text is typed into no choice, and nothing into a question without the number of its screen", async () => {
  const { device, session, keys, number } = await startAsking(menu("Edit a.txt?"), "Sure? [y/n] ");
  await expect(session.type("Lorem\nipsum\r", await number())).rejects.toMatchObject({
    reason: "choice_shown",
  });
  await expect(device.sessions.type(session.id, "1", undefined)).rejects.toMatchObject({
    reason: "screen_not_given",
  });
  expect(await keys()).toBe("");
  await session.type("1", await number());
  await session.said("Sure?");
  await expect(device.sessions.type(session.id, "y", undefined)).rejects.toMatchObject({
    reason: "screen_not_given",
  });
  await session.type("y", await number());
  await until(async () => (await keys()) === "1y");
});

it("the prompt that is typed at the start waits until a choice is answered", async () => {
  const { device, workspace } = await startSessionDevice();
  const [program = "", ...args] = asking(menu("Trust this folder?"), "> ");
  const agent = { command: [program, ...args.slice(0, -1)], prompt: "typed" as const };
  const session = await startTestSession(device, workspace.id, agent, "Build it");
  const keys = () => readFile(join(workspace.path, "keys"), "utf8").catch(() => "");
  const asked = await session.reported("waiting", { waitingForInput: true });
  expect(asked).toMatchObject({
    questionText: expect.stringContaining("Trust this folder?"),
    screen: expect.any(Number),
  });
  expect(await keys()).toBe("");
  await session.type("2", Reflect.get(asked, "screen") as number);
  await until(async () => (await keys()).startsWith("2B"));
});

it("several lines, long lines and lines with marks of a paste are typed as one paste", () => {
  expect(typedForm("one\ntwo\r", true)).toBe("\x1b[200~one\ntwo\x1b[201~\r");
  expect(typedForm("one\rtwo\r", true)).toBe("\x1b[200~one\ntwo\x1b[201~\r");
  expect(typedForm("safe \x1b[201~rm\r", true)).toBe("\x1b[200~safe rm\x1b[201~\r");
  expect(typedForm("x".repeat(1_600), true)).toBe(`\x1b[200~${"x".repeat(1_600)}\x1b[201~`);
  for (const text of ["yes\r", "\x1b[B\x1b[B\r", "\r", "\x1b", "\x03"])
    expect(typedForm(text, true)).toBe(text);
  expect(typedForm("one\ntwo\r", false)).toBe("one\ntwo\r");
});
