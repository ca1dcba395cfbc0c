import { statements } from "./statements";

/** A list of one type of workspaces does not read those of the other. */
export const up = statements([
  "create index workspaces_type on workspaces (organization_id, type, created_at desc, id desc)",
]);
