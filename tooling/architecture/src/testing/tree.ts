import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Repository, readRepository } from "../repository";

/** Contents by path. */
export type Files = Record<string, string>;

const engines = { node: ">=20" };

/** A manifest that keeps the rules, with `own` in place of its parts. */
export const manifest = (name: string, own: object = {}) =>
  JSON.stringify({ name, description: "For a test.", license: "MIT", engines, ...own });

/** A small repository that keeps every rule. */
const validFiles: Files = {
  "README.md": [
    "apps/api",
    "apps/device",
    "apps/grove",
    "apps/mcp-cloud",
    "packages/auth",
    "packages/client",
    "packages/db",
    "packages/mcp",
    "packages/schemas",
    "tooling/tool",
  ]
    .map((dir) => `| [\`${dir}\`](${dir}/README.md) | for a test |\n`)
    .join(""),
  "package.json": JSON.stringify({ name: "repository", engines }),
  ".env.example": "# The port.\n#PORT=3000\n",
  "pnpm-lock.yaml": "packages:\n  zod@4.6.7:\n    resolution: {integrity: sha512-abc}\n",
  "apps/api/package.json": manifest("@grove/api", { devDependencies: { "@grove/db": "workspace:*" } }),
  "apps/api/README.md": "# api\n| `tasks/` | for a test |",
  "apps/api/src/env.ts": "export const env = z.object({ PORT: z.string() }).parse(process.env);",
  "apps/api/src/main.ts": 'import { db } from "@grove/db";\nimport "./env";',
  "apps/api/src/tasks/count.ts": 'export const countTasks = ({ db }) => db.selectFrom("tasks").execute();',
  "apps/api/src/tasks/procedures/read.ts":
    'import { countTasks } from "../count";\nconst count = input.query(({ ctx }) => countTasks(ctx.services));',
  "apps/api/src/tasks/procedures/task.test.ts": 'await db.deleteFrom("tasks").execute();',
  "apps/device/package.json": manifest("@grove/device"),
  "apps/device/README.md": "# device",
  "apps/grove/package.json": manifest("@grove/grove", { devDependencies: { "@grove/api": "workspace:*" } }),
  "apps/grove/README.md": "# grove",
  "apps/mcp-cloud/package.json": manifest("@grove/mcp-cloud"),
  "apps/mcp-cloud/README.md": "# mcp-cloud",
  "packages/auth/package.json": manifest("@grove/auth"),
  "packages/auth/README.md": "# auth",
  "packages/client/package.json": manifest("@grove/client", {
    devDependencies: { "@grove/api": "workspace:*" },
  }),
  "packages/client/README.md": "# client",
  "packages/client/src/index.ts": 'import type { AppRouter } from "@grove/api/router";',
  "packages/db/package.json": manifest("@grove/db", { devDependencies: { "@grove/tool": "workspace:*" } }),
  "packages/db/README.md": "# db",
  "packages/db/src/index.ts": 'import pg from "pg";\nimport { id } from "@grove/schemas";',
  "packages/db/src/index.test.ts":
    'import { tool } from "@grove/tool";\nconst { env } = process;\nit("works");',
  "packages/db/node_modules/pg/index.ts": 'import "lucia";',
  "packages/mcp/package.json": manifest("@grove/mcp"),
  "packages/mcp/README.md": "# mcp",
  "packages/mcp/src/stdio/run.ts": "process.stdout.write(message);",
  "packages/schemas/package.json": manifest("@grove/schemas", {
    files: ["dist"],
    exports: { ".": "./src/index.ts" },
    publishConfig: { exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } } },
  }),
  "packages/schemas/README.md":
    "# schemas\n[Its page](https://example.com), [below](#below), [made](dist/a.md)",
  "tooling/tool/package.json": manifest("@grove/tool", { private: true, exports: { ".": "./x.js" } }),
  "tooling/tool/README.md": "# tool",
  "tooling/tool/index.js": 'import "@grove/api";\nconsole.log(process.env.HOME);',
};

/** Reads the small repository from a temporary directory, with `files` put into it. */
export function repositoryWith(files: Files): Repository {
  const root = mkdtempSync(join(tmpdir(), "grove-architecture-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ ...validFiles, ...files })) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return readRepository(root);
}
