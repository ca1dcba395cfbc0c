import { spawn } from "node:child_process";
import { once } from "node:events";
import type { DoctorFinding } from "@grove/schemas";
import { runProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { expect, it, onTestFinished } from "vitest";
import { readStat } from "../sessions/process/processes";
import { program } from "../testing/program";
import { isCollected } from "./orphans";

/** Starts a shell program with a process that ends with its input, and returns that process's number. */
async function numberOf(script: string, isReady: (shell: number) => Promise<boolean>): Promise<number> {
  const words = `exec 3<&0; { read _; } <&3 & echo $!; ${script}`;
  const shell = spawn("/bin/sh", ["-c", words], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(() => void shell.kill("SIGKILL"));
  const [line] = await once(shell.stdout.setEncoding("utf8"), "data");
  await until(() => isReady(shell.pid ?? 0));
  shell.stdin.end();
  return Number(line);
}

it("sees that a process is collected, and that a parent leaves one as a zombie", async () => {
  expect(await isCollected(await numberOf("wait; read _", async () => true))).toBe(true);
  // `sleep` takes the shell's place, and waits for no child.
  const isLinux = process.platform === "linux";
  const sleeps = async (pid: number) => !isLinux || (await readStat(pid))?.name === "sleep";
  expect(await isCollected(await numberOf("exec sleep 60", sleeps))).toBe(!isLinux);
});

const namespace = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
const [unshare = "", ...options] = namespace;
const canUnshare =
  process.platform === "linux" &&
  (
    await once(
      spawn(unshare, [...options, "true"]).on("error", () => {}),
      "close",
    )
  )[0] === 0;

/** The finding of a doctor that process 1 starts with these words before its command. */
async function orphansIn(...processOne: string[]): Promise<DoctorFinding | undefined> {
  const env = {
    PATH: process.env.PATH,
    GROVE_HOME: await temporaryDirectory(),
    API_URL: "http://127.0.0.1:1",
  };
  const command = [process.execPath, program, "doctor", "--json"];
  const words = canUnshare ? [...namespace, ...processOne] : [];
  const { stdout } = await runProgram([...words, ...command], { env });
  const { findings }: { findings: DoctorFinding[] } = JSON.parse(stdout);
  return findings.find(({ check }) => check === "orphans");
}

it("the doctor warns where process 1 collects no orphans, and not below an init", async () => {
  const warning = { state: "warn", todo: expect.stringMatching(/docker run --init/) };
  const fine = { state: "ok" };
  if (canUnshare) expect(await orphansIn()).toMatchObject(warning);
  expect(await orphansIn("/bin/sh", "-c", '"$@"; exit $?', "sh")).toMatchObject(
    process.platform === "linux" ? fine : {},
  );
});
