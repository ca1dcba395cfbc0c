import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";

const packages = join(import.meta.dirname, "../..");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

const program = `
import { allOf, createClient, type ErrorData, errorData, type Outputs } from "@grove/client";
import type { Command } from "@grove/schemas";

const grove = createClient({ apiUrl: "http://127.0.0.1:3000", token: "grk_…" });
const organizationId = "0198a000-0000-7000-8000-000000000001";
for await (const device of allOf((page) => grove.device.list.query({ organizationId, ...page })))
  device.platform satisfies "mac" | "windows" | "linux";
const workspace: Outputs["workspace"]["create"] = await grove.workspace.create.mutate({
  organizationId, projectId: organizationId, name: "One", type: "worktree", config: {},
});
workspace.createdAt satisfies string;
const command: Command = await grove.agent.execute.mutate({
  organizationId, deviceId: organizationId, tool: "list_projects", params: {},
});
command.result satisfies NonNullable<unknown> | null;
// @ts-expect-error: there is no such type of workspace
await grove.workspace.create.mutate({ ...workspace, type: "clone" });
const data: ErrorData | undefined = errorData(new Error());
data?.reason satisfies "device_offline" | string | undefined;
`;

let project: string;

/** A project that has the packages as npm would install them, and nothing of the monorepo. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "grove-outside-"));
  for (const name of ["client", "schemas"]) install(name);
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(project, "use.ts"), program);
  return () => rmSync(project, { recursive: true });
});

function install(name: string) {
  const from = join(packages, name);
  const to = join(project, "node_modules/@grove", name);
  const { publishConfig, ...manifest } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  cpSync(join(from, "dist"), join(to, "dist"), { recursive: true });
  writeFileSync(join(to, "package.json"), JSON.stringify({ ...manifest, ...publishConfig }));
  for (const dependency of Object.keys(manifest.dependencies)) {
    const link = join(project, "node_modules", dependency);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(from, "node_modules", dependency), link);
  }
}

it.each([
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
])("is typed for a project outside, with module %s and resolution %s", (module, moduleResolution) => {
  const compilerOptions = {
    ...{ module, moduleResolution, target: "es2022", lib: ["es2023", "esnext.disposable", "dom"] },
    ...{ strict: true, skipLibCheck: false, noEmit: true, types: [] },
  };
  const config = join(project, `tsconfig.${module}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["use.ts"] }));
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", config], { encoding: "utf8" });
  expect(stdout).toBe("");
});
