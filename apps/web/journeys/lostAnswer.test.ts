import { readdir, readFile } from "node:fs/promises";
import { until } from "@grove/testing/until";
import { expect, it, onTestFinished } from "vitest";
import { bash, card, startClaude } from "./testing/claude";
import { useJourney } from "./testing/journey";

const journey = useJourney();

/** The process of the hook that waits for the answer to a request of this session. */
async function heldHook(sessionId: string): Promise<number | undefined> {
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
    const [command, environment] = await Promise.all([read("cmdline"), read("environ")]);
    const isHook = /^[^\0]*node\0[^\0]*hook\.cjs\0/.test(command);
    if (isHook && environment.includes(`GROVE_SESSION_ID=${sessionId}\0`)) return Number(pid);
  }
  return undefined;
}

it("shows that it is unknown whether the agent has an answer, and where to check", async () => {
  const { page, client, organizationId, id, agent, machine } = await startClaude(journey, bash("npm test"));
  await card(page, "npm test").waitFor();
  const [request] = await client.agent.listRequests.query({ organizationId, status: "open" });
  await page.goto(`${page.url()}/requests/${request?.id}`);
  const asked = card(page, "npm test");
  await asked.getByRole("button", { name: "Allow", exact: true }).waitFor();
  // A suspended hook keeps the answer between the device agent and Claude.
  const hook = await until(() => heldHook(id), "the hook waits");
  process.kill(hook, "SIGSTOP");
  onTestFinished(() => {
    try {
      process.kill(hook, "SIGKILL");
    } catch {
      // The device agent that was started again has ended it.
    }
  });
  await asked.getByRole("button", { name: "Allow", exact: true }).click();
  await asked.getByText(/^Answered by Ada Lovelace at .+: allowed$/).waitFor();
  const commands = () => client.agent.listCommands.query({ organizationId, tools: ["answer_agent_request"] });
  await until(
    async () => (await commands()).some(({ status }) => status === "running"),
    "the answer arrives",
  );
  await agent.end("SIGKILL");
  machine.run(["start"]);

  await asked.getByText("It is unknown whether the agent has the answer. Read its terminal.").waitFor();
  expect(await asked.getByRole("button", { name: "Allow" }).count()).toBe(0);
  await page.reload();
  await asked.getByText("It is unknown whether the agent has the answer. Read its terminal.").waitFor();
  await asked.getByRole("link", { name: "Terminal" }).click();
  await page.getByRole("heading", { name: "Login", level: 1 }).waitFor();
  // The page of the request is the one that is checked at the end.
  await page.goBack();
  await asked.getByText("It is unknown whether the agent has the answer.").waitFor();
});
