/**
 * The floor of an authenticated list: bare node:http and `pg`, with the same two prepared statements as Grove (the
 * credential, and fifty rows). `/10` answers ten lists with one lookup. argv: Grove's database and the organization's
 * id.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import pg from "pg";
import { serve } from "./serve";

const [databaseUrl, organizationId] = process.argv.slice(2);
// As many connections as Grove's API has.
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const findSession = (secret: string) =>
  pool.query({
    name: "session",
    text: `select sessions.id, sessions.expires_at, users.id as user_id, users.email, users.name, users.image,
        users.email_verified_at, users.created_at,
        (select json_object_agg(organization_id, role) from memberships where user_id = users.id) as roles
      from sessions join users on users.id = sessions.user_id
      where sessions.id_hash = $1 and users.disabled_at is null`,
    values: [createHash("sha256").update(secret).digest("hex")],
  });

const listProjects = () =>
  pool.query({
    name: "list",
    text: `select * from projects where organization_id = $1 order by created_at desc, id desc limit $2`,
    values: [organizationId, 50],
  });

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { rows } = await findSession((request.headers.authorization ?? "").slice("Bearer ".length));
  if (rows[0]?.roles[organizationId ?? ""] === undefined) return void response.writeHead(401).end();
  const lists = await Promise.all(Array.from({ length: Number(request.url?.slice(1)) }, listProjects));
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify(lists.map((list) => list.rows)));
}

serve(answer);
