import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../errors";

const inClone = {
  api: () => import.meta.resolve("@grove/api/package.json"),
  device: () => import.meta.resolve("@grove/device/package.json"),
  "mcp-cloud": () => import.meta.resolve("@grove/mcp-cloud/package.json"),
};

/**
 * The main file of another program: where the clone builds it, or in the launcher's own tarball, which has them all. In
 * a clone, what is packed there exists only while the tarball is made.
 * @throws {UserError} if it has not been built
 */
export function programPath(program: keyof typeof inClone): string {
  const packed = new URL(`./programs/${program}/package.json`, import.meta.url);
  const manifest = repositoryRoot() === undefined && existsSync(packed) ? packed : inClone[program]();
  const { name, bin } = JSON.parse(readFileSync(new URL(manifest), "utf8")) as {
    name: string;
    bin: Record<string, string>;
  };
  const path = fileURLToPath(new URL(Object.values(bin)[0] ?? "", manifest));
  if (!existsSync(path)) throw new UserError(`${name} is not built: run \`npm run build\` first.`);
  return path;
}

/** This program's own file, once it is built. */
export const launcherPath = fileURLToPath(new URL("./main.js", import.meta.url));

/** The root of the repository in which this program was built; undefined if it was installed as a package. */
export function repositoryRoot(): string | undefined {
  const root = dirname(dirname(dirname(dirname(launcherPath))));
  return existsSync(join(root, "pnpm-workspace.yaml")) ? root : undefined;
}
