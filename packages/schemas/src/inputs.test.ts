import { describe, expect, it } from "vitest";
import * as z from "zod";
import * as vocabulary from "./index";
import { apiKeyCreateInput, deviceTools, workspaceEnsureInput } from "./index";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The places in a schema where an object accepts keys that it does not name. Free-form records do not count. */
function looseObjects(schema: JsonSchema, path = ""): string[] {
  const inner: [string, unknown][] = [
    ...Object.entries(schema.properties ?? {}),
    ["[]", schema.items],
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].map(
      (part): [string, unknown] => ["", part],
    ),
  ];
  const isLoose = schema.properties !== undefined && schema.additionalProperties !== false;
  return [
    ...(isLoose ? [path || "(itself)"] : []),
    ...inner.flatMap(([key, part]) =>
      typeof part === "object" && part !== null ? looseObjects(part as JsonSchema, `${path}.${key}`) : [],
    ),
  ];
}

const asJsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

const inputs = Object.entries<unknown>(vocabulary).flatMap(([name, value]): [string, z.ZodType][] =>
  name.endsWith("Input") && value instanceof z.ZodType ? [[name, value]] : [],
);
const isQuery = (name: string) =>
  /(List|Get|Watch|WaitFor|On[A-Z])\w*Input$/.test(name) ||
  /(Connect|Count|SessionOutputs?|SessionTail|Trend|TopEvents|Funnel|Retention)Input$/.test(name);
const mutations = inputs.filter(([name]) => !isQuery(name));

describe("inputs", () => {
  it("are found by their names", () => {
    expect(mutations.map(([name]) => name)).toEqual(
      expect.arrayContaining(["workspaceEnsureInput", "agentExecuteInput", "signUpInput"]),
    );
  });

  it.each(mutations)("%s, of a mutation, refuses unknown keys at every depth", (_name, schema) => {
    expect(looseObjects(asJsonSchema(schema))).toEqual([]);
  });

  it.each(Object.entries(deviceTools))("%s refuses unknown parameters and results", (_name, tool) => {
    expect(looseObjects(asJsonSchema(tool.params))).toEqual([]);
    expect(looseObjects(asJsonSchema(tool.result))).toEqual([]);
  });
});

const uuid = "0198a000-0000-7000-8000-000000000001";

describe("workspace.ensure", () => {
  const input = {
    organizationId: uuid.toUpperCase(),
    project: {
      name: "Grove",
      slug: "grove",
      repoOwner: "acme",
      repoName: "grove",
      repoUrl: "https://example.com/acme/grove.git",
    },
    workspace: { id: uuid.toUpperCase(), name: "One", type: "worktree", config: { branchName: "one" } },
  };

  // Contract: workspace.ensure.defaultBranch
  it("accepts the contract's fields, with main as the default branch", () => {
    const parsed = workspaceEnsureInput.parse(input);
    expect(parsed.project.defaultBranch).toBe("main");
    expect(parsed.organizationId).toBe(uuid);
    expect(parsed.workspace.id).toBe(uuid);
  });

  // Contract: workspace.ensure.input
  it.each(["name", "slug", "repoOwner", "repoName", "repoUrl"])("requires project.%s", (field) => {
    const project = { ...input.project, [field]: undefined };
    expect(workspaceEnsureInput.safeParse({ ...input, project }).success).toBe(false);
  });

  // Contract: workspace.ensure.input
  it.each(["id", "name", "type", "config"])("requires workspace.%s", (field) => {
    const workspace = { ...input.workspace, [field]: undefined };
    expect(workspaceEnsureInput.safeParse({ ...input, workspace }).success).toBe(false);
  });

  it("names the unknown key that it refuses", () => {
    const refused = workspaceEnsureInput.safeParse({ ...input, project: { ...input.project, branch: "x" } });
    expect(refused.error?.issues).toMatchObject([
      { code: "unrecognized_keys", path: ["project"], keys: ["branch"] },
    ]);
  });

  // Contract: workspace.types
  it("accepts only the types worktree and main", () => {
    const typed = (type: string) => ({ ...input, workspace: { ...input.workspace, type } });
    expect(workspaceEnsureInput.safeParse(typed("main")).success).toBe(true);
    expect(workspaceEnsureInput.safeParse(typed("clone")).success).toBe(false);
  });
});

describe("create_workspace", () => {
  const { params } = deviceTools.create_workspace;
  const ofCount = (count: number) => ({
    projectId: uuid,
    workspaces: Array.from({ length: count }, () => ({})),
  });

  // Contract: cloud.createWorkspace.count
  it.each([1, 5])("makes %i workspaces, each with everything generated", (count) => {
    expect(params.parse(ofCount(count))).toEqual(ofCount(count));
  });

  // Contract: cloud.createWorkspace.count
  it.each([0, 6])("refuses %i workspaces", (count) => {
    expect(params.safeParse(ofCount(count)).success).toBe(false);
  });

  it("accepts a name, a branch and a base, and nothing else", () => {
    const workspace = { name: "One", branchName: "one", baseBranch: "develop" };
    expect(params.parse({ projectId: uuid, workspaces: [workspace] }).workspaces).toEqual([workspace]);
    const odd = { projectId: uuid, workspaces: [{ ...workspace, path: "/etc" }] };
    expect(params.safeParse(odd).success).toBe(false);
  });

  it("leaves an omitted base to the device, which can check whether main exists", () => {
    expect(params.parse(ofCount(1)).workspaces[0]?.baseBranch).toBeUndefined();
  });
});

describe("apiKey.create", () => {
  const input = { organizationId: uuid, name: "CI" };

  it("by default gives both scopes and no expiry", () => {
    expect(apiKeyCreateInput.parse(input)).toEqual({ ...input, scopes: ["read", "write"] });
  });

  it("refuses an expiry in the past, and no scope at all", () => {
    expect(apiKeyCreateInput.safeParse({ ...input, expiresAt: "2020-01-01T00:00:00Z" }).success).toBe(false);
    expect(apiKeyCreateInput.safeParse({ ...input, scopes: [] }).success).toBe(false);
  });
});
