import { posix } from "node:path";
import type { Manifest, Rule } from "../repository";

/**
 * A published package states the Node that it needs, and its exports and README refer only to files that it contains.
 */
export const noIncompleteTarball: Rule = (repository) =>
  repository.packages
    .filter(({ manifest }) => !manifest.private)
    .flatMap(({ dir, manifest, readme = "" }) => {
      const node = repository.rootManifest.engines?.node;
      const isMissing = (path: string) => !isPacked(manifest, path);
      return [
        ...(manifest.engines?.node === node
          ? []
          : [`${dir}/package.json: engines.node is not ${node}, as at the root`]),
        ...exported(manifest)
          .filter(isMissing)
          .map((path) => `${dir}/package.json: exports ${path}, which is not in the tarball`),
        ...linked(readme)
          .filter(isMissing)
          .map((path) => `${dir}/README.md: links to ${path}, which is not in the tarball`),
      ];
    });

const isPacked = ({ files = [] }: Manifest, path: string) =>
  ["package.json", "README.md", ...files].some((packed) => {
    const inside = posix.relative(packed, posix.normalize(path));
    return inside === "" || !inside.startsWith("..");
  });

const exported = ({ exports = {}, publishConfig }: Manifest) =>
  Object.values(publishConfig?.exports ?? exports).flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );

/** The files that a page links to, without web addresses and anchors. */
const linked = (page: string) =>
  [...page.matchAll(/\]\(([^)#\s]+)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !URL.canParse(target));
