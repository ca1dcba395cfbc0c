import { describe, expect, it } from "vitest";
import { rules } from "./rules";
import { type Files, manifest, repositoryWith } from "./testing/tree";

/** Files that break a rule, and parts of the rule's message: the place, and words of the sentence. */
type Violation = [files: Files, ...found: string[]];

const device = "apps/device/src/x.ts";
const web = { "apps/web/package.json": manifest("@grove/web"), "apps/web/README.md": "" };
const procedures = "apps/api/src/tasks/procedures/x.ts";
const cloud = "apps/mcp-cloud/src/x.ts";
const dbTest = "packages/db/src/x.test.ts";

/** At least one violation of each rule, which the type requires. */
const violations: Record<keyof typeof rules, [Violation, ...Violation[]]> = {
  noForbiddenDependency: [
    [
      { "packages/schemas/src/x.ts": '\nimport { db } from "@grove/db";' },
      "packages/schemas/src/x.ts:2",
      "@grove/db",
    ],
    [
      { "packages/db/src/x.ts": 'import type { A } from "@grove/auth";' },
      "packages/db/src/x.ts:1",
      "@grove/auth",
    ],
    [
      { "packages/client/src/x.ts": 'import { type A } from "@grove/api/router";' },
      "packages/client/src/x.ts:1",
    ],
    [{ "packages/client/src/x.ts": 'export * from "@grove/api/router";' }, "packages/client/src/x.ts:1"],
    [{ "packages/client/src/x.ts": 'await import("@grove/api/router");' }, "packages/client/src/x.ts:1"],
    [{ [device]: 'import { db } from "@grove/db";' }, `${device}:1`, "@grove/db"],
    [{ [device]: 'import "../../api/src/main";' }, `${device}:1`, "leaves the package"],
    [
      { "apps/device/src/x.test.ts": 'import "@grove/api/router";' },
      "apps/device/src/x.test.ts:1",
      "@grove/api",
    ],
    [
      { ...web, "apps/web/src/x.ts": 'import "@grove/integrations/testing";' },
      "apps/web/src/x.ts:1",
      "@grove/integrations",
    ],
    [
      { ...web, "apps/web/src/x.test.ts": 'import "@grove/integrations";' },
      "apps/web/src/x.test.ts:1",
      "@grove/integrations",
    ],
    [{ "apps/grove/src/x.ts": 'import "@grove/api/router";' }, "apps/grove/src/x.ts:1", "@grove/api"],
    [{ "packages/db/src/x.ts": 'import "@grove/tool";' }, "packages/db/src/x.ts:1", "@grove/tool"],
    [{ "apps/api/src/x.ts": 'import "@grove/db/testing";' }, "apps/api/src/x.ts:1", "@grove/db/testing"],
    [
      { "packages/new/package.json": manifest("@grove/new"), "packages/new/README.md": "" },
      "packages/new",
      "no row",
    ],
    [
      {
        "apps/device/package.json": manifest("@grove/device", {
          dependencies: { "@grove/client": "workspace:*" },
        }),
      },
      "apps/device/package.json",
      "may not be in dependencies",
    ],
    [
      {
        "apps/device/package.json": manifest("@grove/device", {
          devDependencies: { "@grove/db": "workspace:*" },
        }),
      },
      "apps/device/package.json",
      "may not be in devDependencies",
    ],
  ],
  noImportAgainstFolderOrder: [
    [
      { "apps/api/src/tasks/x.ts": 'import { create } from "./procedures/create";' },
      "apps/api/src/tasks/x.ts:1",
      "only router.ts imports procedures",
    ],
    [
      { "apps/api/src/lib/x.ts": 'import type { Services } from "../services";' },
      "apps/api/src/lib/x.ts:1",
      "lib imports nothing above it",
    ],
    [
      { "apps/device/src/git/x.ts": 'import { homeAt } from "../home/home";' },
      "apps/device/src/git/x.ts:1",
      "the device's folders are layers: lib < cloud < git < files < home",
    ],
  ],
  noImportBothWays: [
    [
      {
        "apps/api/src/tasks/x.ts": 'import { y } from "../projects/y";',
        "apps/api/src/projects/z.ts": '\nimport { x } from "../tasks/x";',
      },
      "apps/api/src/projects/z.ts:2",
      "projects imports from tasks, which imports from projects",
    ],
  ],
  noStatementInProcedure: [
    [
      { [procedures]: '\nconst list = ({ db }) =>\n  db\n    .selectFrom("tasks");' },
      `${procedures}:4`,
      "beside procedures/",
    ],
    [{ [procedures]: "const create = ({ db }) => db.transaction().execute(f);" }, `${procedures}:1`],
    [{ [procedures]: "\nconst get = ({ db }) => selectTasks(db).executeTakeFirst();" }, `${procedures}:2`],
    [{ [procedures]: '\nimport { sql } from "kysely";' }, `${procedures}:2`],
    [{ [procedures]: 'import { newestFirst } from "../../lib/pagination";' }, `${procedures}:1`],
  ],
  noLargeCycle: [
    [
      {
        "apps/api/src/a.ts": 'import type { B } from "./b";',
        "apps/api/src/b.ts": 'import type { C } from "./c";',
        "apps/api/src/c.ts": 'export * from "./d";',
        "apps/api/src/d.ts": 'export type D = import("./e").E;',
        "apps/api/src/e/index.ts": 'import { type A } from "../a";',
      },
      "apps/api/src/a.ts:1",
      "through 4 files",
      "apps/api/src/e/index.ts",
    ],
  ],
  noKeyHandlerWithoutOnKeys: [
    [
      { ...web, "apps/web/src/tasks/x.tsx": "\nconst x = <input onKeyDown={() => save()} />;" },
      "apps/web/src/tasks/x.tsx:2",
      "onKeys",
    ],
    [
      {
        ...web,
        "apps/web/src/tasks/x.ts":
          'const a = onKeys(f);\ndocument.addEventListener("keydown", a);\naddEventListener("keyup", b);',
      },
      "apps/web/src/tasks/x.ts:3",
      "onKeys",
    ],
  ],
  noImportBetweenFeatures: [
    [
      { ...web, "apps/web/src/tasks/x.tsx": 'import { Presence } from "../devices/presence";' },
      "apps/web/src/tasks/x.tsx:1",
      "only app/router.ts",
    ],
    [
      { ...web, "apps/web/src/ui/x.tsx": 'import { queries } from "../lib/api";' },
      "apps/web/src/ui/x.tsx:1",
      "ui imports only from itself",
    ],
  ],
  noLibraryOutsideItsPackage: [
    [{ "apps/api/src/x.ts": 'import { useState } from "react";' }, "apps/api/src/x.ts:1", "apps/web"],
    [
      { ...web, "apps/web/src/tasks/x.tsx": 'import { Menu } from "@base-ui/react/menu";' },
      "apps/web/src/tasks/x.tsx:1",
      "apps/web/src/ui",
    ],
    [{ "apps/api/src/x.ts": 'import { Lucia } from "lucia";' }, "apps/api/src/x.ts:1", "packages/auth"],
    [{ "packages/auth/src/x.ts": 'import pg from "pg";' }, "packages/auth/src/x.ts:1", "engines"],
    [
      { "apps/api/src/x.ts": 'import type { PGlite } from "@electric-sql/pglite";' },
      "apps/api/src/x.ts:1",
      "engines",
    ],
    [
      {
        "packages/integrations/package.json": manifest("@grove/integrations"),
        "packages/integrations/README.md": "",
        "packages/integrations/src/x.ts": 'import { sql } from "kysely";',
      },
      "packages/integrations/src/x.ts:1",
      "kysely",
    ],
    [
      { "packages/db/src/x.ts": 'import { TRPCError } from "@trpc/server";' },
      "packages/db/src/x.ts:1",
      "tRPC",
    ],
    [{ [cloud]: 'import { httpLink } from "@trpc/client";' }, `${cloud}:1`, "packages/client"],
    [
      { "packages/auth/src/x.ts": 'import type { FastifyRequest } from "fastify";' },
      "packages/auth/src/x.ts:1",
      "HTTP",
    ],
    [
      { "packages/auth/src/x.ts": 'import { createServer } from "node:http";' },
      "packages/auth/src/x.ts:1",
      "HTTP",
    ],
  ],
  noHandMadeApiCall: [
    [{ [device]: 'fetch(new URL("/api/trpc/user.get", base));' }, `${device}:1`],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template in the file that the rule reads
    [{ [cloud]: "fetch(`${base}/api/trpc/user.get`);" }, `${cloud}:1`],
  ],
  noEnvironmentOutsideEnv: [
    [{ [device]: "\n\nconst home = process.env.HOME;" }, `${device}:3`],
    [{ [device]: 'const home = process["env"]["HOME"];' }, `${device}:1`],
    [{ [device]: "const home = globalThis.process.env.HOME;" }, `${device}:1`],
    [{ [device]: "const { env } = process;" }, `${device}:1`],
    [{ [device]: 'import { env } from "node:process";' }, `${device}:1`],
    [
      { "packages/db/src/engines/env.ts": "export const url = process.env.URL;" },
      "packages/db/src/engines/env.ts:1",
    ],
  ],
  noUnlistedVariable: [
    [
      { "apps/device/src/env.ts": "z.object({ PORT: z.string(), HOST: z.string() });" },
      "apps/device/src/env.ts",
      "HOST",
    ],
    [{ ".env.example": "# PORT is the port" }, "apps/api/src/env.ts", "PORT"],
  ],
  noStdoutInMcpServer: [
    [{ [cloud]: 'console.log("here");' }, `${cloud}:1`],
    [{ [cloud]: 'console.error("here");' }, `${cloud}:1`],
    [{ "packages/mcp/src/x.ts": 'process.stdout.write("here");' }, "packages/mcp/src/x.ts:1"],
    [{ "packages/mcp/src/x.ts": 'import { stdout } from "node:process";' }, "packages/mcp/src/x.ts:1"],
  ],
  noTimeoutSignal: [
    [{ [device]: "\nconst signal = AbortSignal.timeout(1_000);" }, `${device}:2`, "packages/signals"],
    [{ "packages/db/src/x.ts": 'wait(AbortSignal["timeout"]);' }, "packages/db/src/x.ts:1"],
  ],
  noErrorCast: [
    [{ [device]: "\nlog((thrown as Error).message);" }, `${device}:2`, "messageOf"],
    [{ [dbTest]: "const { code } = thrown as Error & { code: string };" }, `${dbTest}:1`, "instanceof"],
  ],
  noSkippedTest: [
    [{ [dbTest]: 'it.skip("x", () => {});' }, `${dbTest}:1`, ".skip"],
    [{ [dbTest]: 'describe.only("x", () => {});' }, `${dbTest}:1`, ".only"],
    [{ [dbTest]: 'test.todo("x");' }, `${dbTest}:1`, ".todo"],
    [{ [dbTest]: 'it.concurrent.only("x", () => {});' }, `${dbTest}:1`, ".only"],
    [{ [dbTest]: 'it.skipIf(root)("x", () => {});' }, `${dbTest}:1`, ".skipIf"],
    [{ [dbTest]: 'xit("x", () => {});' }, `${dbTest}:1`],
    [{ [dbTest]: 'it("x", ({ skip }) => skip());' }, `${dbTest}:1`],
    [{ [dbTest]: 'it("x", (context) => context.skip());' }, `${dbTest}:1`],
  ],
  noPatternWithoutFile: [
    [
      {
        "packages/db/vitest.config.ts": '\ndefineSuite({ first: ["src/{ids,x}.test.ts"] });',
        [dbTest]: "",
      },
      "packages/db/vitest.config.ts:2",
      "src/ids.test.ts",
    ],
  ],
  noContractionWithoutRelease: [
    [
      { "packages/db/src/migrations/0099_kinds.ts": 'statements(["alter table tasks drop column kind"]);' },
      "packages/db/src/migrations/0099_kinds.ts:1",
      "drop column",
    ],
    [
      {
        "packages/db/src/migrations/0099_kinds.ts":
          "statements([`alter table a\n alter column b set not null`]);",
      },
      "packages/db/src/migrations/0099_kinds.ts:1",
      "set not null",
    ],
  ],
  noActionByTag: [
    [
      { ".github/workflows/ci.yml": "steps:\n  - uses: actions/checkout@v4\n" },
      ".github/workflows/ci.yml:2",
      "actions/checkout@v4",
    ],
  ],
  noPromiseWithoutTest: [
    [{ "SECURITY.md": "| Nobody gets in | |" }, "SECURITY.md:1", "names no test"],
    [
      { "SECURITY.md": `| Nobody gets in | [is closed](${dbTest}) |`, [dbTest]: 'it("is open", () => {});' },
      "SECURITY.md:1",
      "is closed",
    ],
  ],
  noStatementWithoutTest: [
    [
      {
        "tooling/architecture/package.json": manifest("@grove/architecture"),
        "tooling/architecture/src/contract.ts":
          'export const contract = [{ id: "user.get", statement: "" }];',
      },
      "tooling/architecture/src/contract.ts",
      "no test cites user.get",
    ],
    [{ [dbTest]: '// Contract: user.gte\nit("is open", () => {});' }, `${dbTest}:1`, "no statement user.gte"],
  ],
  noPackageWithoutReadme: [
    [{ "tooling/new/package.json": manifest("@grove/new") }, "tooling/new", "README.md"],
    [{ "tooling/tool/package.json": manifest("@grove/tool", { license: "ISC" }) }, "tooling/tool", "license"],
    [
      { "tooling/tool/package.json": manifest("@grove/tool", { description: "" }) },
      "tooling/tool",
      "description",
    ],
  ],
  noUnlistedFolder: [[web, "README.md", "0 rows for apps/web"]],
  noUnlistedApiFolder: [
    [{ "apps/api/src/projects/list.ts": "" }, "apps/api/README.md", "0 rows for projects"],
    [{ "apps/api/README.md": "| `tasks/` | |\n| `tasks/` | |" }, "apps/api/README.md", "2 rows for tasks"],
  ],
  noIncompleteTarball: [
    [
      { "packages/mcp/package.json": manifest("@grove/mcp", { engines: { node: ">=18" } }) },
      "packages/mcp/package.json",
      "engines.node",
    ],
    [
      { "packages/mcp/package.json": manifest("@grove/mcp", { exports: { ".": "./src/index.ts" } }) },
      "packages/mcp/package.json",
      "exports ./src/index.ts",
    ],
    [
      {
        "packages/mcp/package.json": manifest("@grove/mcp", {
          files: ["dist"],
          publishConfig: { exports: { ".": { default: "./lib/index.js" } } },
        }),
      },
      "packages/mcp/package.json",
      "exports ./lib/index.js",
    ],
    [{ "packages/mcp/README.md": "[tool](../../tooling/tool#x)" }, "packages/mcp/README.md", "tooling/tool,"],
    [{ "packages/mcp/README.md": "[all](REFERENCE.md)" }, "packages/mcp/README.md", "REFERENCE.md"],
  ],
  noVersionOutsideCatalog: [
    [
      {
        "apps/device/package.json": manifest("@grove/device", { dependencies: { zod: "catalog:" } }),
        "packages/mcp/package.json": manifest("@grove/mcp", { devDependencies: { zod: "^4.6.7" } }),
      },
      "packages/mcp/package.json",
      "catalog:",
    ],
    [
      { "apps/api/package.json": manifest("@grove/api", { devDependencies: { "@grove/db": "0.1.0" } }) },
      "apps/api/package.json",
      "workspace:*",
    ],
  ],
  noThrowsWithoutType: [
    [{ [cloud]: "/** @throws NOT_FOUND for an unknown id */" }, `${cloud}:1`, "a type in braces"],
    [{ [cloud]: "\n/**\n * Reads.\n * @throws when it cannot.\n */" }, `${cloud}:2`, "a type in braces"],
  ],
  noCamelCaseNumber: [
    [{ [cloud]: "\nconst waitMs = 30 * 1_000;" }, `${cloud}:2`, "CONSTANT_CASE"],
    [{ [cloud]: "export const least = -1;" }, `${cloud}:1`, "CONSTANT_CASE"],
  ],
  noEndingRoute: [
    [{ [dbTest]: '\nawait page.route("**/x", handle, { times: 1 });' }, `${dbTest}:2`, "keep the route"],
    [{ [dbTest]: 'await page.unroute("**/x");' }, `${dbTest}:1`, "keep the route"],
  ],
  noQueryAcrossOrganizations: [
    [
      {
        "packages/db/src/migrations/0001_a.ts":
          "export const up = [`create table devices (\n    id uuid,\n    organization_id uuid\n  )`];",
        "apps/api/src/x.ts":
          '\nawait db.selectFrom("devices as device").select("id").where("id", "=", id).execute();',
      },
      "apps/api/src/x.ts:2",
      "organization_id",
    ],
  ],
  noLoopOverStartedCalls: [
    [
      { [dbTest]: "\nfor (const call of [a.query(), b.mutate(x)]) await failure(call);" },
      `${dbTest}:2`,
      "in the loop",
    ],
  ],
  noSleepByAnotherName: [
    [{ [cloud]: 'import { setTimeout as delay } from "node:timers/promises";' }, `${cloud}:1`, "sleep"],
    [{ [dbTest]: 'import { setTimeout } from "node:timers/promises";' }, `${dbTest}:1`, "sleep"],
  ],
  noPrivateModifier: [
    [{ [cloud]: "class A {\n  private readonly b = 1;\n}" }, `${cloud}:2`, "#x"],
    [{ [cloud]: "class A {\n  private constructor() {}\n  private b() {}\n}" }, `${cloud}:3`, "#x"],
  ],
  noSpreadOfLiteral: [
    [{ [cloud]: "const a = {\n  ...{ b: 1, c: 2 },\n};" }, `${cloud}:2`, "without spreading"],
    [{ [cloud]: "call({ ...{ b }, ...rest });" }, `${cloud}:1`, "without spreading"],
  ],
  noClassOutsideItsFile: [
    [{ [cloud]: "export class Other {}" }, cloud, "as its class Other"],
    [
      { [cloud]: "export class OneError extends Error {}\nexport class Other {}" },
      cloud,
      "as its class Other",
    ],
  ],
  plainEnglish: [
    [{ [cloud]: "// What is sent is kept.\n" }, `${cloud}:1`, "begin the sentence with a noun"],
    [{ [cloud]: "\n/**\n * Refused for who may not.\n */" }, `${cloud}:2`, "anyone who"],
    [{ [cloud]: "// A task;\n// NOT_FOUND else.\n" }, `${cloud}:1`, "otherwise"],
    [{ "CONTRIBUTING.md": "# How\n\nIt hangs on\nthe database." }, "CONTRIBUTING.md", "depends on"],
    [{ ".env.example": "# The users go on.\n#PORT=3000\n" }, ".env.example", '"continue"'],
    [{ [cloud]: `const a = 1; // ${"long ".repeat(30)}` }, `${cloud}:1`, "wider than 120"],
    [{ [cloud]: "\n// Nobody reads it.\n" }, `${cloud}:2`, '"no one"'],
    [{ [cloud]: "// The file is gone.\n" }, `${cloud}:1`, '"no longer exists"'],
    [{ [cloud]: "// The database was away.\n" }, `${cloud}:1`, '"is unreachable"'],
    [{ [cloud]: "// Meanwhile it waits.\n" }, `${cloud}:1`, "until when"],
    [{ [cloud]: '\nthrow new Error("The work goes on without it.");' }, `${cloud}:2`, '"continue"'],
    [{ [cloud]: "const a = `Mend the file, then call it again.`;" }, `${cloud}:1`, '"fix"'],
    [
      { ...web, "apps/web/src/tasks/x.tsx": "\nconst x = <p>The task is lost for good.</p>;" },
      "apps/web/src/tasks/x.tsx:2",
      '"permanently"',
    ],
    [{ "apps/mcp-cloud/src/x.test.ts": '\nit.each([1])("waits for nobody", run);' }, ":2", '"no one"'],
    [{ "apps/mcp-cloud/src/tools/x.ts": 'const title = "What to type here";' }, "tools/x.ts:1", "a noun"],
    [{ [cloud]: "// Shown to those who may read it.\n" }, `${cloud}:1`, "users who"],
    [{ [cloud]: "// It is kept, also if the call fails.\n" }, `${cloud}:1`, "even if"],
    [{ [cloud]: "// The same for the other engine.\n" }, `${cloud}:1`, "what is the same"],
    [{ [cloud]: "// One that polls may be late.\n" }, `${cloud}:1`, "begin with the noun"],
    [{ [cloud]: "// Of several workers one does it.\n" }, `${cloud}:1`, "the subject"],
    [{ [cloud]: "// The pull request, as it is shown.\n" }, `${cloud}:1`, "who shows"],
    [{ [cloud]: "// The tail says `truncated`.\n" }, `${cloud}:1`, '"returns"'],
    [{ [cloud]: "// git may read it otherwise than we do.\n" }, `${cloud}:1`, '"differently"'],
    [{ [cloud]: "// The key is still in force.\n" }, `${cloud}:1`, '"valid"'],
    [{ [cloud]: "// A database that went back in time.\n" }, `${cloud}:1`, '"was restored"'],
    [{ [cloud]: "// Does nothing if it is no draft.\n" }, `${cloud}:1`, '"is not a"'],
  ],
  noWideDocument: [
    [{ "CONTRIBUTING.md": `# How\n\n${"long ".repeat(30)}\n` }, "CONTRIBUTING.md:3", "wider than 120"],
    [
      {
        "SECURITY.md": `\`\`\`\n${"a b ".repeat(50)}\n\`\`\`\n| ${"a ".repeat(90)} |\n- ${"long ".repeat(30)}`,
      },
      "SECURITY.md:5",
    ],
  ],
  noHostInLockfile: [
    [{ "pnpm-lock.yaml": "\n  resolution: {tarball: zod-4.tgz}" }, "pnpm-lock.yaml:2"],
    [{ "pnpm-lock.yaml": "resolved: zod-4.tgz" }, "pnpm-lock.yaml:1"],
    [
      { "pnpm-lock.yaml": "  resolution: {integrity: sha512-a, url: https://registry.example.com/z.tgz}" },
      "pnpm-lock.yaml:1",
    ],
  ],
};

it("a sound repository breaks no rule", () => {
  const repository = repositoryWith({});
  for (const rule of Object.values(rules)) expect(rule(repository)).toEqual([]);
});

describe.each(Object.entries(violations))("%s", (name, cases) => {
  it.each(cases)("finds %j", (files, ...found) => {
    const messages = rules[name as keyof typeof rules](repositoryWith(files));
    expect(messages).toHaveLength(1);
    for (const part of found) expect(messages[0]).toContain(part);
  });
});
