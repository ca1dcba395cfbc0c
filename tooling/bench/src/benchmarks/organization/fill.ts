import { query } from "../../postgres";

/** The number of rows of each kind in a large organization. */
export const counts = {
  members: 1_000,
  projects: 200,
  devices: 500,
  workspaces: 50_000,
  tasks: 200_000,
  commands: 200_000,
  sessions: 50_000,
  auditEvents: 200_000,
  deliveries: 100_000,
  chats: 5_000,
};

/** Words of tasks. The first ones are frequent. */
const WORDS =
  `the button error user page login upload server timeout list screen export session invoice search
  team filter board device worktree branch merge review deploy cache index query webhook calendar avatar keyboard
  retry spinner layout tooltip markdown attachment permission audit locale currency refund shipping warehouse
  thermometer pancake lighthouse`.split(/\s+/);

/** Returns one id for the same words. */
const id = (words: string) => `md5(${words})::uuid`;
const any = (what: keyof typeof counts, seed = "n") =>
  id(`'${what}' || abs(hashint4(${seed} * 7919)) % ${counts[what]}`);
const rows = (what: keyof typeof counts) => `from generate_series(0, ${counts[what] - 1}) as n`;
/** A number from 0 to 1 that looks random. */
const chance = (seed: string) => `(abs(hashint4(${seed})) % 10000 / 10000.0)`;
/** Times spread evenly over the last days, the newest first. */
const at = (what: keyof typeof counts, days: number) =>
  `now() - n * interval '${days} days' / ${counts[what]}`;
/** An id of version 7, made at that time. */
const madeAt = (time: string, words: string) =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${words}), 1, 3)
    || '8' || substr(md5(${words}), 4, 15))::uuid`;
/** A text of `length` words. */
const text = (length: number, seed: string) => `(
  select string_agg(($2::text[])[1 + floor(power(${chance(`n * 1000 + w + ${seed}`)}, 3) * cardinality($2::text[]))::integer], ' ')
  from generate_series(1, ${length}) as w)`;

const statements = [
  `insert into users (id, email, name)
    select ${id("'members' || n")}, 'member-' || n || '@bench.example.com', 'Member ' || n ${rows("members")}`,
  `insert into memberships (organization_id, user_id, role, created_at)
    select $1::uuid, ${id("'members' || n")}, case when n % 50 = 0 then 'admin' else 'member' end, ${at("members", 700)} ${rows("members")}`,
  `insert into projects (id, organization_id, name, slug, repo_owner, repo_name, repo_url, default_branch, created_at)
    select ${id("'projects' || n")}, $1::uuid, 'Project ' || n, 'project-' || n, 'acme', 'project-' || n,
      'https://example.com/acme/project-' || n || '.git', 'main', ${at("projects", 700)} ${rows("projects")}`,
  `insert into devices (id, organization_id, owner_id, name, platform, key_prefix, key_hash, shared, created_at)
    select ${id("'devices' || n")}, $1::uuid, ${any("members")}, 'machine-' || n, 'linux', 'grd_', 'bench' || n, n % 2 = 0,
      ${at("devices", 700)} ${rows("devices")}`,
  `insert into workspaces (id, organization_id, project_id, device_id, name, type, config, created_by, created_at)
    select ${id("'workspaces' || n")}, $1::uuid, ${any("projects")}, ${any("devices", "(n + 1)")}, 'feature-' || n,
      case when n % 20 = 0 then 'main' else 'worktree' end,
      jsonb_build_object('path', '/home/dev/worktrees/feature-' || n, 'branch', 'feature-' || n), ${any("members", "(n + 2)")},
      ${at("workspaces", 700)} ${rows("workspaces")}`,
  // Most tasks are done. Every tenth was moved by hand.
  `insert into tasks (id, organization_id, slug, title, description, search_text, status, priority, assignee_id, creator_id,
      project_id, labels, branch, created_at, rank)
    select id, $1::uuid, 'GRV-' || n, title, description, title || E'\\n' || description,
      (select key from task_statuses where organization_id = $1::uuid
        order by (type = case when done < 0.75 then 'completed' when done < 0.8 then 'canceled' when done < 0.9 then 'backlog'
          when done < 0.97 then 'unstarted' else 'started' end) desc, position limit 1),
      (array['urgent', 'high', 'medium', 'low', 'none'])[1 + abs(hashint4(n)) % 5],
      case when ${chance("n + 3")} < 0.8 then ${any("members", "(n + 3)")} end, ${any("members", "(n + 4)")}, ${any("projects", "(n + 5)")},
      array['label ' || abs(hashint4(n)) % 40] || case when n % 3 = 0 then array['bug'] else '{}' end,
      case when n % 4 = 0 then 'feature-' || n end, created_at,
      case when n % 10 = 0 then replace(id::text, '-', '') || 'i' end
    from (
      select n, ${madeAt(at("tasks", 700), "'task' || n")} as id, ${at("tasks", 700)} as created_at, ${chance("n + 9")} as done,
        ${text(6, "0")} || case when n % 4000 = 0 then ' zeppelin' else '' end as title, ${text(40, "500")} as description ${rows("tasks")}) as made`,
  `insert into device_commands (id, organization_id, device_id, tool, params, status, result, requested_by, principal,
      timeout_ms, queue_expires_at, created_at, claimed_at, started_at, finished_at)
    select ${madeAt(at("commands", 30), "'command' || n")}, $1::uuid, ${any("devices")},
      (array['list_workspaces', 'create_workspace', 'start_agent_session', 'get_app_context'])[1 + abs(hashint4(n)) % 4], '{}',
      case when n % 30 = 0 then 'failed' else 'succeeded' end, jsonb_build_object('text', repeat('result ', 40)),
      ${any("members", "(n + 1)")}, 'session:bench', 60000, now(), made, made, made, made + interval '1 second'
    from (select n, ${at("commands", 30)} as made ${rows("commands")}) as commands`,
  `insert into agent_sessions (organization_id, id, device_id, workspace_id, task_id, agent, status, started_by, created_at,
      ended_at)
    select $1::uuid, ${id("'sessions' || n")}, ${any("devices")}, ${any("workspaces", "(n + 1)")},
      (select id from tasks where organization_id = $1::uuid and slug = 'GRV-' || abs(hashint4(n)) % ${counts.tasks}),
      'claude', case when n < 500 then 'running' else 'exited' end, ${any("members", "(n + 2)")}, ${at("sessions", 30)},
      case when n >= 500 then ${at("sessions", 30)} + interval '1 hour' end ${rows("sessions")}`,
  `insert into audit_events (id, organization_id, actor_id, actor_kind, action, target_type, target_id, metadata, created_at)
    select ${id("'audit' || n")}, $1::uuid, ${any("members")}, 'user',
      (array['task.update', 'task.create', 'workspace.delete', 'member.invite'])[1 + abs(hashint4(n)) % 4], 'task', n::text, '{}',
      ${at("auditEvents", 700)} ${rows("auditEvents")}`,
  `insert into integration_events (id, organization_id, provider, delivery_id, body_hash, type, payload, status, created_at)
    select ${id("'delivery' || n")}, $1::uuid, 'github', n, n, 'push', '{"text": "pushed"}',
      case when n % 500 = 0 then 'dead' else 'processed' end, ${at("deliveries", 30)} ${rows("deliveries")}`,
  `insert into chat_sessions (id, organization_id, title, created_by, created_at)
    select ${id("'chats' || n")}, $1::uuid, 'Chat ' || n, ${any("members")}, ${at("chats", 700)} ${rows("chats")}`,
  `insert into chat_messages (id, organization_id, session_id, role, text, created_at)
    select ${id("'message' || n")}, $1::uuid, ${any("chats")}, 'user', repeat('a message ', 20), ${at("sessions", 30)} ${rows("sessions")}`,
  `insert into invitations (id, organization_id, email, role, token_hash, expires_at, created_at)
    select ${id("'invitation' || n")}, $1::uuid, 'invited-' || n || '@example.com', 'member', 'bench' || n,
      now() + interval '7 days', ${at("projects", 30)} ${rows("projects")}`,
];

/** Fills an organization with the rows of some years. */
export async function fillOrganization(
  databaseUrl: string,
  organizationId: string,
  progress: (message: string) => void,
): Promise<void> {
  for (const statement of statements) {
    progress(/^insert into (\w+)/.exec(statement)?.[1] ?? "");
    await query(
      databaseUrl,
      statement,
      [organizationId, WORDS].slice(0, statement.includes("$2") ? 2 : statement.includes("$1") ? 1 : 0),
    );
  }
  await query(databaseUrl, "vacuum analyze");
}

/** A device, a member and a project that the others are spread over. */
export const someOf = (
  databaseUrl: string,
  what: "devices" | "members" | "projects" | "workspaces" | "chats",
) => query<string>(databaseUrl, `select ${id(`'${what}7'`)}`);
