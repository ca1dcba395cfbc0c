import { sessionOutputLimits, sessionPace } from "@grove/schemas";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { silent } from "../../testing/log";
import { OutputReporter } from "./outputReporter";

const TOO_MUCH = "x".repeat(sessionOutputLimits.keptBytes + 1);

it("sends the newest screen in place of what was dropped, and ignores an older one that comes later", async () => {
  const sent: (string | undefined)[] = [];
  const answers: (() => void)[] = [];
  const screens: ((output: string) => void)[] = [];
  const reportSession = async (report: { type: string; data?: string }) => {
    sent.push(report.data);
    await new Promise<void>((resolve) => answers.push(resolve));
    return sessionPace.watchedMs;
  };
  const screenAsOutput = () => new Promise<string>((resolve) => screens.push(resolve));
  const reporter = new OutputReporter("session", { reportSession }, silent, screenAsOutput);
  reporter.output("first ");
  await until(() => sent.length === 1);
  reporter.output(TOO_MUCH);
  answers[0]?.();
  await until(() => screens.length === 1, "the screen is requested");
  reporter.output(`${TOO_MUCH} dropped again`);
  // As at the end of the session.
  const caughtUp = reporter.catchUp();
  reporter.output(", later");
  reporter.end({ status: "exited", exitCode: 0 });
  screens[1]?.("newer screen");
  await caughtUp;
  screens[0]?.("older screen");
  await until(() => sent.length === 2);
  answers[1]?.();
  await until(() => sent.length === 3);
  answers[2]?.();
  expect(await reporter.over).toBe("reported");
  expect(sent).toEqual(["first ", "newer screen, later", undefined]);
});
