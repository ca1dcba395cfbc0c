import { createClient, errorData } from "@grove/client";
import type { AgentAnswer } from "@grove/schemas";
import { signUp } from "@grove/test-api/tenant";
import { seeded } from "@grove/testing/random";
import { expect, it } from "vitest";
import { startAsking } from "./world/asking";
import { useScene } from "./world/scene";

const scene = useScene(2);

const RACES = Number(process.env.REQUEST_RACES ?? 40);
const MAX_CALLERS = 8;
/** Requests that are answered at the same time. */
const AT_A_TIME = 10;
const random = seeded(11);

/** Adds people who may use every device of the organization, and who can answer through each process. */
async function addPeople(count: number) {
  const { cloud } = scene;
  const { organizationId } = cloud;
  const people = [];
  for (let n = 0; n < count; n++) {
    const { userId, token } = await signUp(cloud.first.url, `Person ${n}`);
    await cloud.query("insert into memberships (organization_id, user_id, role) values ($1, $2, 'admin')", [
      organizationId,
      userId,
    ]);
    const clients = cloud.instances.map(({ url }) => createClient({ apiUrl: url, token }));
    const answer = async (process: number, id: string, given: AgentAnswer) => {
      await clients[process]?.agent.answerRequest.mutate({ organizationId, id, answer: given });
    };
    people.push({ userId, answer });
  }
  await cloud.query("update devices set shared = true");
  return people;
}

/** Adds a request for permission beside one that the agent has open. The device does not know it, and says so. */
async function addRequest(like: string): Promise<string> {
  const [row] = await scene.cloud.query(
    `insert into agent_requests (organization_id, id, session_id, device_id, kind, tool, title, is_answerable, scopes,
      created_at, expires_at)
    select organization_id, gen_random_uuid(), session_id, device_id, kind, tool, title, true, scopes, now(), expires_at
    from agent_requests where id = $1 returning id`,
    [like],
  );
  return String(row?.id);
}

type People = Awaited<ReturnType<typeof addPeople>>;

/** Lets some people answer one request at the same time, and expects that one wins and the others are told who did. */
async function race(people: People, asked: string): Promise<void> {
  const { query } = scene.cloud;
  const callers = people.slice(0, 2 + Math.floor(random() * (MAX_CALLERS - 1)));
  const firstProcess = Math.floor(random() * 2);
  const id = await addRequest(asked);
  const outcomes = await Promise.allSettled(
    callers.map(({ answer }, n) => answer((firstProcess + n) % 2, id, { decision: "deny", message: `${n}` })),
  );
  const winners = outcomes.flatMap(({ status }, n) => (status === "fulfilled" ? [n] : []));
  expect(winners).toHaveLength(1);
  const [winner = -1] = winners;
  const { userId } = callers[winner] ?? {};
  for (const outcome of outcomes)
    if (outcome.status === "rejected")
      expect(errorData(outcome.reason)).toMatchObject({
        reason: "already_answered",
        details: { userId, name: `Person ${winner}`, decision: "deny" },
      });
  const commands = await query(
    `select answered_by, params from agent_requests join device_commands on device_commands.id = command_id
      where agent_requests.id = $1`,
    [id],
  );
  expect(commands).toMatchObject([{ answered_by: userId }]);
}

it("of up to eight people on two processes one answers, and every other gets the name of the one who did", async () => {
  const asking = await startAsking(scene, 1);
  const { id: asked } = await asking.asked(1);
  const people = await addPeople(MAX_CALLERS);
  for (let raced = 0; raced < RACES; raced += AT_A_TIME)
    await Promise.all(Array.from({ length: Math.min(AT_A_TIME, RACES - raced) }, () => race(people, asked)));
  // None of these answers reached the request that the agent has open.
  expect(await asking.decisions()).toEqual([]);
  const { query } = scene.cloud;
  expect(await query("select status from agent_requests where id = $1", [asked])).toEqual([
    { status: "open" },
  ]);
});
