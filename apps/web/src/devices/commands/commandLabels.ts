import type { CommandStatus, DeviceToolName, Platform } from "@grove/schemas";

export const platforms = { mac: "macOS", windows: "Windows", linux: "Linux" } satisfies Record<
  Platform,
  string
>;

/** Explanations of states whose label is not enough. */
export const explanations = {
  queued: "Waiting for the machine to pick up the command.",
  claimed: "The command was sent to the machine but has not started.",
  running: undefined,
  succeeded: undefined,
  failed: undefined,
  canceled: undefined,
  expired: "The machine did not pick up the command in time, so it never ran.",
  timed_out:
    "The command exceeded its time limit and was stopped. The machine cleans up any incomplete work.",
  lost: "The machine never reported the outcome. The command may have run: check the machine before you run it again. A late result still appears here.",
} satisfies Record<CommandStatus, string | undefined>;

interface ToolFacts {
  /** Whether the tool changes something, sends keystrokes to an agent, or only reads. */
  kind: "work" | "typing" | "read";
  label: string;
}

const facts = {
  create_workspace: { kind: "work", label: "Create workspaces" },
  list_workspaces: { kind: "read", label: "List workspaces" },
  list_projects: { kind: "read", label: "List projects" },
  list_directories: { kind: "read", label: "List directories" },
  list_branches: { kind: "read", label: "List branches" },
  get_repository_scripts: { kind: "read", label: "Read setup scripts" },
  list_files: { kind: "read", label: "List files" },
  read_file: { kind: "read", label: "Read a file" },
  search_files: { kind: "read", label: "Search files" },
  add_project: { kind: "work", label: "Add a project" },
  list_agents: { kind: "read", label: "List agents" },
  get_machine_status: { kind: "read", label: "Read the machine's state" },
  add_agent: { kind: "work", label: "Add an agent" },
  get_app_context: { kind: "read", label: "Read the machine's programs" },
  run_doctor: { kind: "read", label: "Check the machine" },
  switch_workspace: { kind: "work", label: "Switch workspaces" },
  delete_workspace: { kind: "work", label: "Delete a workspace" },
  update_workspace: { kind: "work", label: "Rename workspaces" },
  get_workspace_details: { kind: "read", label: "Read a workspace's state" },
  get_workspace_diff: { kind: "read", label: "Read a workspace's changes" },
  resolve_anchors: { kind: "read", label: "Find commented lines" },
  find_commit: { kind: "read", label: "Find a commit" },
  make_point: { kind: "work", label: "Create a restore point" },
  mark_seen: { kind: "work", label: "Mark changes as seen" },
  list_points: { kind: "read", label: "List restore points" },
  restore_point: { kind: "work", label: "Restore files" },
  get_change_status: { kind: "read", label: "Read what is not merged" },
  commit_workspace: { kind: "work", label: "Commit" },
  push_branch: { kind: "work", label: "Push a branch" },
  update_from_base: { kind: "work", label: "Update from the base" },
  merge_here: { kind: "work", label: "Merge on the machine" },
  run_gate: { kind: "work", label: "Run the check script" },
  start_agent_session: { kind: "work", label: "Start an agent" },
  get_agent_screen: { kind: "read", label: "Read an agent's screen" },
  send_agent_input: { kind: "typing", label: "Type into an agent" },
  resize_agent_session: { kind: "typing", label: "Resize a terminal" },
  send_review_round: { kind: "typing", label: "Send a review" },
  answer_agent_request: { kind: "typing", label: "Answer an agent's request" },
  release_agent_request: { kind: "typing", label: "Leave a request to the terminal" },
  stop_agent_session: { kind: "work", label: "Stop an agent" },
} satisfies Record<DeviceToolName, ToolFacts>;

const factsOf = (tool: string): ToolFacts | undefined =>
  Object.entries(facts).find(([name]) => name === tool)?.[1];

/** Returns what a tool does in words. A tool that this console does not know has only its name. */
export const toolLabel = (tool: string): string => factsOf(tool)?.label ?? tool;

/** The options of a list of tools, sorted by label. */
export const toolOptions = Object.entries(facts)
  .map(([value, { label }]) => ({ value, title: label }))
  .sort((one, other) => one.title.localeCompare(other.title));

/** The frequent tools, which only read or type. They are hidden by default. */
export const frequentTools = Object.keys(facts).filter((tool) => factsOf(tool)?.kind !== "work");

/** Whether a command of this tool can run again. Typed text is not stored. */
export const canRunAgain = (tool: string): boolean => factsOf(tool)?.kind !== "typing";
