import type { Rule } from "../repository";

/** The lock file names no place to download from: that is the machine's own setting. */
export const noHostInLockfile: Rule = ({ lockfile }) =>
  lockfile.split("\n").flatMap((line, index) =>
    // A deprecated package's own message may point to a page.
    /\b(tarball|resolved|registry):|:\/\//.test(line) && !/^\s*deprecated:/.test(line)
      ? [`pnpm-lock.yaml:${index + 1}: ${line.trim()} names a download address`]
      : [],
  );
