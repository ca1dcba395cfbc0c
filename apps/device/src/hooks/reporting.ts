import { basename } from "node:path";
import type { AgentCommand, Config } from "../home/config";
import type { Home } from "../home/home";
import { takesClaudeHooks } from "./claude";
import { codexConsent, takesCodexHooks } from "./codex";
import { OPENCODE_CONFIG } from "./inject";

/** How the state of an agent's sessions is known. */
export interface Reporting {
  by: "hooks" | "plugin" | "record" | "screen";
  /** The step by which the owner can make it report more. */
  missing?: string;
}

const ownSettings = (what: string): Reporting => ({
  by: "screen",
  missing: `its ${what} of its own, so Grove adds none`,
});

/** How an agent reports what it does, with the owner's current decisions. */
export function reportingOf(
  { command, env }: Pick<AgentCommand, "command" | "env">,
  { hooks }: Pick<Config, "hooks">,
  { home, programEnv }: { home: Home; programEnv: NodeJS.ProcessEnv },
): Reporting {
  switch (basename(command[0] ?? "")) {
    case "claude":
      if (!hooks.claude) return { by: "screen", missing: "hooks.claude is false in config.json" };
      return takesClaudeHooks(command) ? { by: "hooks" } : ownSettings("command has --settings");
    case "opencode":
      if (!hooks.opencode) return { by: "screen", missing: "hooks.opencode is false in config.json" };
      return (env[OPENCODE_CONFIG] ?? programEnv[OPENCODE_CONFIG])
        ? ownSettings(`environment has ${OPENCODE_CONFIG}`)
        : { by: "plugin" };
    case "codex": {
      if (!takesCodexHooks(command)) return { ...ownSettings("command has hooks"), by: "record" };
      if (hooks.codex === codexConsent(home)) return { by: "hooks" };
      const what = hooks.codex === false ? "its hooks need your consent" : "its hooks have changed";
      return { by: "record", missing: `${what}: \`grove-device agents enable codex\`` };
    }
    case "gemini":
      return {
        by: "record",
        missing: "its requests, by hooks that you paste: `grove-device agents print gemini`",
      };
    default:
      return { by: "screen" };
  }
}
