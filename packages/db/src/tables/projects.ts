import type { WorkspaceType } from "@grove/schemas";
import type { Generated, GeneratedAlways } from "kysely";
import type { DefaultNow, Json } from "./columns";

export interface ProjectTable {
  id: string;
  organization_id: string;
  name: string;
  slug: string;
  repo_owner: string;
  repo_name: string;
  repo_url: string;
  default_branch: string;
  restore_points: Generated<boolean>;
  /** The branches into which a merged pull request completes its tasks; null: the default branch. */
  done_branches: string[] | null;
  /** How often failed checks of a change are sent to its agent; 0: never. */
  max_rounds: Generated<number>;
  /** Whether the gate runs once an agent reports its work as finished. */
  gate_on_finish: Generated<boolean>;
  /** Null until a signed delivery with its repository's id has arrived. */
  repository_id: string | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface ProjectSecretTable {
  organization_id: string;
  project_id: string;
  key: string;
  /** The value, sealed by the vault of @grove/auth. */
  sealed: string;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

export interface WorkspaceTable {
  id: string;
  organization_id: string;
  project_id: string;
  device_id: string | null;
  name: string;
  type: WorkspaceType;
  config: Json<Record<string, unknown>>;
  /** The size of `config` as text. */
  config_bytes: GeneratedAlways<number>;
  created_by: string | null;
  created_at: DefaultNow;
  updated_at: DefaultNow;
}

/** Ids of deleted workspaces, so that a device cannot bring one back. */
export interface WorkspaceTombstoneTable {
  id: string;
  organization_id: string;
  deleted_at: DefaultNow;
}
