import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export type AgentName = keyof typeof agents;

/** Where a user has set an agent up. */
export interface Place {
  /** The user's home. */
  home: string;
  /** The address of the mock model. */
  model: string;
  repository: string;
  /** The directory of the device, which has the worktrees. */
  deviceHome: string;
}

interface RealAgent {
  package: string;
  /** The version that was proved last. */
  version: string;
  /** The arguments with a prompt. */
  args: string[];
  env(place: Place): Record<string, string>;
  /** The user's files, by their path in the home. */
  files(place: Place): Record<string, unknown>;
}

const KEY = "sk-ant-mock-01234567890123456789";

export const agents = {
  claude: {
    package: "@anthropic-ai/claude-code",
    version: "2.1.332",
    args: ["--permission-mode", "default", "--", "{prompt}"],
    env: ({ model }) => ({ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: KEY, DISABLE_AUTOUPDATER: "1" }),
    files: () => ({
      ".claude.json": {
        hasCompletedOnboarding: true,
        customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      },
      ".claude/settings.json": { includeCoAuthoredBy: false },
    }),
  },
  opencode: {
    package: "opencode-ai",
    version: "1.18.33",
    args: ["--prompt={prompt}"],
    env: () => ({}),
    files: ({ model }) => ({
      ".config/opencode/opencode.json": {
        // opencode adds this line by itself.
        $schema: "https://opencode.ai/config.json",
        model: "mock/mock",
        small_model: "mock/mock",
        permission: { bash: "ask" },
        provider: {
          mock: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${model}/v1`, apiKey: "x" },
            models: { mock: { tool_call: true } },
          },
        },
      },
    }),
  },
  codex: {
    package: "@openai/codex",
    version: "0.171.0",
    args: ["--ask-for-approval", "on-request", "--", "{prompt}"],
    env: ({ home }) => ({ CODEX_HOME: join(home, ".codex") }),
    files: (place) => ({ ".codex/config.toml": codexConfig(place) }),
  },
  gemini: {
    package: "@google/gemini-cli",
    version: "0.61.0",
    args: ["--model=gemini-2.5-flash", "--prompt-interactive={prompt}"],
    env: ({ home, model }) => ({
      GEMINI_CLI_HOME: home,
      GEMINI_API_KEY: "mock",
      GOOGLE_GEMINI_BASE_URL: model,
    }),
    files: ({ deviceHome }) => ({
      ".gemini/settings.json": {
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: "gemini-api-key" } },
      },
      ".gemini/trustedFolders.json": { [deviceHome]: "TRUST_FOLDER" },
    }),
  },
} as const satisfies Record<string, RealAgent>;

/**
 * Codex with the mock model. It trusts the repository, as after its question about that. With the settings of `tui`, it
 * does not itself write into this file at its start.
 */
const codexConfig = ({ model, repository }: Place) => `
model = "mock"
model_provider = "mock"
check_for_update_on_startup = false
[tui]
show_tooltips = false
screen_reader_detection_done = true
[model_providers.mock]
name = "mock"
base_url = "${model}/v1"
wire_api = "responses"
[projects."${repository}"]
trust_level = "trusted"
`;

/** Writes the files of a user who has set the agent up. */
export async function writeUserFiles(name: AgentName, place: Place): Promise<void> {
  for (const [path, content] of Object.entries(agents[name].files(place))) {
    const file = join(place.home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
}
