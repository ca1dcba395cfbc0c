import { initialTerminalSize } from "@grove/schemas";
import { Screen } from "@grove/terminal";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { node, startSessionDevice, startTestSession } from "../../testing/session";
import { Tail } from "./tail";

/** Runs a program as an agent. */
async function begin(source: string) {
  const { device, workspace } = await startSessionDevice();
  const session = await startTestSession(device, workspace.id, { command: node(source, "{prompt}") });
  const shown = () =>
    device.sessions.registry.ofWorkspace(workspace.id, { id: null, isOwner: true })[0]?.output;
  return { session, shown, sessions: device.sessions };
}

it("a program's terminal queries are answered", async () => {
  const asking = `
    process.stdin.setRawMode(true);
    process.stdin.once("data", (answer) => {
      console.log("answer " + JSON.stringify(String(answer)));
      process.exit();
    });
    process.stdout.write("one\\r\\ntwo\\x1b[6n");`;
  const { session } = await begin(asking);
  await session.reported("end", { status: "exited" });
  expect(session.output()).toContain(`answer ${JSON.stringify("\x1b[2;4R")}`);
});

it("a redrawn line is shown in its last state, also after the program's end", async () => {
  const drawing = `
    console.log("Working on it.");
    for (const spinner of "-\\\\|/") process.stdout.write("\\r\\x1b[K" + spinner + " thinking");
    process.stdout.write("\\r\\x1b[KMay I? [y/n]");
    process.stdin.once("data", () => process.exit());`;
  const { session, shown } = await begin(drawing);
  await until(() => shown() === "Working on it.\nMay I? [y/n]");
  await session.type("y\r");
  await session.reported("end", { status: "exited" });
  expect(shown()).toBe("Working on it.\nMay I? [y/n]y");
});

it("a full-screen program is shown as its screen, at the current size", async () => {
  const drawing = `
    const draw = () => process.stdout.write("\\x1b[2J\\x1b[1;1HPlan\\x1b[999;1HAllow? " + process.stdout.columns);
    process.stdout.write("\\x1b[?1049h");
    process.stdout.on("resize", draw);
    draw();
    process.stdin.resume();`;
  const { session, shown, sessions } = await begin(drawing);
  await until(() => shown() === "Plan\nAllow? 120");
  sessions.resize(session.id, 33, 7);
  await until(() => shown() === "Plan\nAllow? 33");
  const { tail } = sessions.registry.get(session.id);
  expect(tail.shown(1_000)).toEqual({ output: "Plan\n\n\n\n\n\nAllow? 33", truncated: false });
  expect(tail.shown(9)).toEqual({ output: "Allow? 33", truncated: true });
  await sessions.stop(session.id);
});

it("the end of a burst is shown, here and where its output is reported", async () => {
  const { session, shown } = await begin(
    "for (let n = 1; n <= 60_000; n++) console.log(n + ' ' + '*'.repeat(60));",
  );
  await session.reported("end", { status: "exited" });
  const last = `60000 ${"*".repeat(60)}`;
  expect(shown()?.split("\n").at(-1)).toBe(last);
  const viewer = new Screen({ ...initialTerminalSize, scrollback: 60_000 });
  await viewer.write(session.output());
  expect(viewer.lines().at(-1)).toBe(last);
  // Dropped lines are missing only at the start, and no line is there twice.
  const numbers = viewer.lines().map((line) => Number(line.split(" ")[0]));
  expect(numbers).toEqual(numbers.map((_, at) => 60_001 - numbers.length + at));
  viewer.close();
});

it("a program that prints faster than the screen can process is held up until it has caught up", async () => {
  let flowing = true;
  const pause = () => {
    flowing = false;
  };
  const resume = () => {
    flowing = true;
  };
  const tail = new Tail(new Screen({ columns: 80, rows: 24, scrollback: 10 }), { pause, resume });
  const piece = "another line\r\n".repeat(5_000);
  let added = 0;
  for (; flowing; added += piece.length) tail.add(piece);
  expect(added).toBeGreaterThan(1024 * 1024);
  expect(added).toBeLessThan(2 * 1024 * 1024);
  await until(() => flowing);
  tail.add("the last one");
  await tail.close();
  expect(tail.lastLines().split("\n").slice(-2)).toEqual(["another line", "the last one"]);
  expect(tail.shown(100).output).toHaveLength(100);
});

it("what was shown before the end is returned in parts", async () => {
  const noFlow = { pause: () => {}, resume: () => {} };
  const tail = new Tail(new Screen({ columns: 80, rows: 4, scrollback: 10 }), noFlow);
  tail.add("abcdef\r\nghij");
  await tail.visible();
  expect(tail.shown(4)).toEqual({ output: "ghij", truncated: true });
  expect(tail.shown(4, 4)).toEqual({ output: "def\n", truncated: true });
  expect(tail.shown(4, 8)).toEqual({ output: "abc", truncated: false });
  expect(tail.shown(4, 12)).toEqual({ output: "", truncated: false });
  await tail.close();
});
