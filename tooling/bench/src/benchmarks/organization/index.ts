import type { Benchmark, Context, Row } from "../../benchmark";
import { bearer, queriesUrl } from "../../calls";
import { signUpTo, startGrove } from "../../grove";
import { send } from "../../http";
import { load } from "../../load";
import { query, startDurablePostgres } from "../../postgres";
import { median, quantile } from "../../stats";
import { counts, fillOrganization, someOf } from "./fill";

const ROUNDS = 40;
const WARM_UP = 5;
/** The page that a person sees first. */
const PAGE = { limit: 50 };
const MAX_MS = 50;
/** Agents and the console count so far. */
const BOUNDED = { atMost: 1_000 };
/** Counts that read every counted task. */
const EXACT = "counted to the last";

type Call = [procedure: string, input: object];

/** The lists, boards and searches, as a person in the organization asks for them. */
async function callsOf(databaseUrl: string): Promise<Record<string, Call>> {
  const [deviceId, assigneeId, projectId, workspaceId, sessionId] = await Promise.all(
    (["devices", "members", "projects", "workspaces", "chats"] as const).map((what) =>
      someOf(databaseUrl, what),
    ),
  );
  const [taskId, middle] = await Promise.all([
    query<string>(databaseUrl, "select id from tasks where slug = 'GRV-7'"),
    query<string>(databaseUrl, `select id from tasks where slug = 'GRV-${counts.tasks / 2}'`),
  ]);
  const calls: Record<string, Call> = {
    tasks: ["task.list", PAGE],
    "tasks, a page in the middle": ["task.list", { ...PAGE, after: middle }],
    "tasks, 1 000 of them": ["task.list", {}],
    "the board: a column": ["task.list", { ...PAGE, status: "started", order: "rank" }],
    "the board: done": ["task.list", { ...PAGE, status: "completed", order: "rank" }],
    "the board: a person's": ["task.list", { ...PAGE, order: "rank", assigneeId }],
    "the board: a project's": ["task.list", { ...PAGE, order: "rank", projectId }],
    "the board: a project's column": ["task.list", { ...PAGE, order: "rank", projectId, status: "started" }],
    "the board: a label": ["task.list", { ...PAGE, order: "rank", labels: ["label 7"] }],
    "the board: a priority": ["task.list", { ...PAGE, order: "rank", priority: "urgent" }],
    "the board: numbers": ["task.countByStatus", {}],
    "the board: a person's numbers": ["task.countByStatus", { assigneeId }],
    "the board: a project's numbers": ["task.countByStatus", { projectId }],
    "the board: a label's numbers": ["task.countByStatus", { labels: ["bug"], ...BOUNDED }],
    "the board: a priority's numbers": ["task.countByStatus", { priority: "urgent", ...BOUNDED }],
    "tasks, counted": ["task.count", {}],
    "tasks: a person's, done": ["task.list", { ...PAGE, assigneeId, status: "completed" }],
    "tasks: unassigned": ["task.list", { ...PAGE, unassigned: true }],
    "tasks: a creator's": ["task.list", { ...PAGE, creatorId: assigneeId }],
    "tasks: a project's": ["task.list", { ...PAGE, projectId }],
    "tasks: two labels": ["task.list", { ...PAGE, labels: ["bug", "label 7"] }],
    "tasks: a branch": ["task.list", { ...PAGE, branch: "feature-8" }],
    workspaces: ["workspace.list", PAGE],
    "workspaces of a device": ["workspace.list", { ...PAGE, deviceId }],
    "workspaces of a project": ["workspace.list", { ...PAGE, projectId }],
    "main workspaces": ["workspace.list", { ...PAGE, type: "main" }],
    "workspaces, 1 000 of them": ["workspace.list", {}],
    members: ["organization.listMembers", PAGE],
    "members, all": ["organization.listMembers", {}],
    invitations: ["organization.listInvitations", PAGE],
    "audit events": ["organization.listAuditEvents", PAGE],
    "audit events of an action": ["organization.listAuditEvents", { ...PAGE, action: "member.invite" }],
    projects: ["project.list", PAGE],
    "projects, all": ["project.list", {}],
    devices: ["device.list", PAGE],
    "devices, all": ["device.list", {}],
    commands: ["agent.listCommands", PAGE],
    "commands of a device": ["agent.listCommands", { ...PAGE, deviceId }],
    "commands, failed": ["agent.listCommands", { ...PAGE, status: "failed" }],
    "commands of a person": ["agent.listCommands", { ...PAGE, requestedBy: assigneeId }],
    "agent sessions": ["agent.listSessions", PAGE],
    "agent sessions that run": ["agent.listSessions", { ...PAGE, status: "running" }],
    "agent sessions of a task": ["agent.listSessions", { ...PAGE, taskId }],
    "agent sessions of a workspace": ["agent.listSessions", { ...PAGE, workspaceId }],
    deliveries: ["integration.listEvents", PAGE],
    "deliveries, dead": ["integration.listEvents", { ...PAGE, status: "dead" }],
    chats: ["chat.listSessions", PAGE],
    "messages of a chat": ["chat.listMessages", { ...PAGE, sessionId }],
    "API keys": ["apiKey.list", PAGE],
  };
  for (const [kind, search] of Object.entries({
    "a frequent word": "button",
    "a word of a third": "thermometer",
    "a rare word": "zeppelin",
    "a phrase": "error user",
    "three letters": "ser",
    "two letters": "er",
    "one character": "q",
    "no such text": "nowhere to be found",
  })) {
    calls[`search: ${kind}`] = ["task.list", { limit: 8, search }];
    calls[`search by rank: ${kind}`] = ["task.list", { ...PAGE, search, order: "rank" }];
    calls[`search, counted: ${kind}`] = ["task.count", { search, ...BOUNDED }];
    calls[`search, counted by status: ${kind}`] = ["task.countByStatus", { search, ...BOUNDED }];
  }
  for (const [kind, filter] of Object.entries({
    "a frequent word": { search: "button" },
    "a phrase": { search: "error user" },
    "a label": { labels: ["bug"] },
  }))
    calls[`${EXACT}: ${kind}`] = ["task.count", filter];
  return calls;
}

async function run({ scope, rounds = ROUNDS, flushMs, progress }: Context) {
  const postgres = await startDurablePostgres(scope, flushMs);
  const databaseUrl = await postgres.createDatabase();
  const grove = await startGrove(scope, databaseUrl);
  const member = await signUpTo(grove);
  const { organizationId } = grove;
  await fillOrganization(databaseUrl, organizationId, (table) => progress(`filling ${table}`));
  await query(
    databaseUrl,
    `insert into memberships (organization_id, user_id, role)
      select $1, user_id, 'member' from memberships where organization_id = $2`,
    [organizationId, member.organizationId],
  );
  const rows: Row[] = [];
  const measure = async (name: string, [procedure, input]: Call, token: string) => {
    const url = queriesUrl(grove, procedure, 1, { organizationId, ...input });
    const call = () => send(url, { headers: bearer(token) });
    await load(call, 1, Number.POSITIVE_INFINITY, WARM_UP);
    const { times } = await load(call, 1, Number.POSITIVE_INFINITY, rounds);
    const p95 = quantile(times, 0.95);
    progress(`${name}: ${p95.toFixed(1)} ms`);
    rows.push({
      measure: name,
      grove: p95,
      others: { "its p50": median(times) },
      ...(!name.startsWith(EXACT) && { aim: { of: "grove", atMost: MAX_MS } }),
    });
  };
  const calls = await callsOf(databaseUrl);
  for (const [name, call] of Object.entries(calls)) await measure(name, call, grove.sessionToken);
  // Members see their own commands and those of their devices: that is another statement.
  await measure("commands, to a member who has none", ["agent.listCommands", PAGE], member.sessionToken);
  return {
    title: `lists, boards and searches of one large organization, p95 in ms; floor: none`,
    rows,
    notes: [
      `${postgres.version}; ${counts.tasks} tasks, ${counts.workspaces} workspaces, ${counts.members} members, ${counts.commands} commands; ${rounds} requests each, one after the other.`,
    ],
  };
}

/** Every list of a large organization. */
export const organization: Benchmark = {
  name: "organization",
  summary: "lists, boards and searches among 200 000 tasks and 50 000 workspaces",
  run,
};
