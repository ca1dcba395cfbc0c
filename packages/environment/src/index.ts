import { readFileSync } from "node:fs";

/** More than any key or address has. Something larger is another file. */
const MAX_CHARACTERS = 64 * 1024;

/**
 * Reads secrets that are given as files: `NAME_FILE` names a file with the value of `NAME`. Spaces and line breaks
 * around the value are removed. Supervisors mount secrets as files, since more processes can see a program's
 * environment than a file.
 * @param secrets the names of the variables that may hold a secret
 * @returns the environment with the contents, and without the variables that are empty
 * @throws {Error} with one line for each variable that is given twice, or whose file cannot be read; never with content
 *
 */
export function readSecretFiles(
  source: NodeJS.ProcessEnv,
  secrets: readonly string[],
): Record<string, string> {
  const setVariables = Object.fromEntries(
    // An empty variable counts as unset: compose files and service units leave variables out that way.
    Object.entries(source).filter((entry): entry is [string, string] => (entry[1] ?? "") !== ""),
  );
  const wrong: string[] = [];
  for (const name of secrets) {
    const file = setVariables[`${name}_FILE`];
    if (file === undefined) continue;
    if (setVariables[name] !== undefined) {
      wrong.push(`${name}_FILE: conflicts with ${name}. Set only one of them.`);
      continue;
    }
    try {
      const content = readFileSync(file, "utf8").trim();
      if (content.length === 0 || content.length > MAX_CHARACTERS)
        wrong.push(`${name}_FILE: ${file} is empty, or longer than ${MAX_CHARACTERS} characters`);
      setVariables[name] = content;
    } catch (error) {
      wrong.push(`${name}_FILE: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return setVariables;
}
