import type { Rule } from "../repository";

/** The lock file contains no download addresses. The registry is each machine's own setting. */
export const noHostInLockfile: Rule = ({ lockfile }) =>
  lockfile.split("\n").flatMap((line, index) =>
    // The message of a deprecated package may contain an address.
    /\b(tarball|resolved|registry):|:\/\//.test(line) && !/^\s*deprecated:/.test(line)
      ? [`pnpm-lock.yaml:${index + 1}: ${line.trim()} names a download address`]
      : [],
  );
