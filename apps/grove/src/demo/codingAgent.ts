import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The agent's name in start_agent_session. */
export const CODING_AGENT = "demo";

/** A stand-in for a coding agent: it takes a prompt, changes a file and commits it, without a model. */
const SCRIPT = `
import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";

const prompt = process.argv[2];
const git = (...args) => execFileSync("git", args, { encoding: "utf8" });
console.log("I am asked to: " + prompt);
appendFileSync("README.md", "\\n- " + prompt + "\\n");
git("add", "README.md");
git("-c", "core.hooksPath=", "-c", "commit.gpgSign=false", "commit", "--quiet", "--message", prompt);
console.log("Done, as " + git("log", "-1", "--format=%h on %D").trim());
`;

/** Adds the agent to the configuration of the device with this home. */
export async function installCodingAgent(directory: string, groveHome: string): Promise<string> {
  const script = join(directory, "agent.mjs");
  await writeFile(script, SCRIPT.trimStart());
  const person = { name: "Grove demo", email: "demo@grove.local" };
  const agent = {
    command: [process.execPath, script, "{prompt}"],
    env: {
      GIT_AUTHOR_NAME: person.name,
      GIT_AUTHOR_EMAIL: person.email,
      GIT_COMMITTER_NAME: person.name,
      GIT_COMMITTER_EMAIL: person.email,
    },
  };
  const config = JSON.stringify({ agents: { [CODING_AGENT]: agent } }, null, 2);
  await writeFile(join(groveHome, "config.json"), `${config}\n`, { mode: 0o600 });
  return config;
}
