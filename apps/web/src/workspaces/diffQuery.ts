import { toolQuery } from "../app/deviceTools";

/** A comparison to ask a machine for. */
export interface DiffInput {
  target: { organizationId: string; deviceId: string };
  workspaceId: string;
  against: "base" | "head";
  ignoreWhitespace: boolean;
}

/** The files that differ, without their lines. It is read again each time the page is opened. */
export const diffQuery = ({ target, workspaceId, against, ignoreWhitespace }: DiffInput) => ({
  ...toolQuery(target, "get_workspace_diff", {
    ...{ workspaceId, against, ignoreWhitespace },
    ...{ summary: true, context: 0, maxBytes: 700_000 },
  }),
  staleTime: 0,
  gcTime: 0,
});
