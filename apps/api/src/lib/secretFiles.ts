import { readFileSync } from "node:fs";

/** More than any key or address has. Something larger is another file. */
const MAX_CHARACTERS = 64 * 1024;

/**
 * The environment with the contents of files in the place of variables: `CREDENTIALS_KEY_FILE=/run/secrets/key` stands
 * for `CREDENTIALS_KEY`, as secrets reach containers and systemd's services. Spaces and line ends around it are cut.
 * @param names the variables that may hold a secret
 * @throws {Error} with a line for each file that cannot be read, or that stands beside its variable
 */
export function withSecretFiles(
  env: Record<string, string>,
  names: readonly string[],
): Record<string, string> {
  const given = { ...env };
  const wrong: string[] = [];
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    if (env[name] !== undefined) wrong.push(`${name}_FILE: is set beside ${name}; leave one of them out`);
    try {
      const content = readFileSync(path, "utf8").trim();
      if (content.length === 0 || content.length > MAX_CHARACTERS)
        wrong.push(`${name}_FILE: holds no secret`);
      given[name] = content;
    } catch (error) {
      wrong.push(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return given;
}
