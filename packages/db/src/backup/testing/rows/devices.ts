import { at, device, id, organization, type SampleTable, text, user } from "./values";

/** Devices and their commands. */
export const devices: Record<string, SampleTable> = {
  devices: {
    share: 0,
    columns: "id, organization_id, owner_id, name, platform, key_prefix, key_hash, capabilities",
    select: `${device("n")}, ${organization("n")}, ${user("n")}, ${text("n")}, 'linux', 'grd', 'd' || n, array['git', 'a "quoted", one']`,
  },
  device_pairings: {
    share: 0,
    columns: "secret_hash, organization_id, approved_by, device_id, expires_at",
    select: `'p' || n, ${organization("n")}, ${user("n")}, ${device("n")}, '2099-01-01'`,
  },
  device_commands: {
    share: 250,
    columns:
      "id, organization_id, device_id, tool, params, status, result, principal, timeout_ms, queue_expires_at, created_at, finished_at",
    select: `${id("'command' || n")}, ${organization("n")}, ${device("n")}, 'list_projects', '{}', 'succeeded', case n % 3 when 0 then null when 1 then 'null'::jsonb else jsonb_build_object('n', n, 'ratio', 0.1) end, 'user ' || n % 20, 30000, '2099-01-01', ${at("n")}, ${at("n + 1")}`,
  },
  command_keys: {
    share: 0,
    columns: "organization_id, principal, key, command_id",
    select: `${organization("n")}, 'user ' || n % 20, ${text("n")}, ${id("'command' || n")}`,
  },
};
