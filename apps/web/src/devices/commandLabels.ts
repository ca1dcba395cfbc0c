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

/** The kind of each tool: it changes something, sends keystrokes to an agent, or only reads. */
const kinds = {
  create_workspace: "work",
  list_workspaces: "read",
  list_projects: "read",
  list_directories: "read",
  list_branches: "read",
  get_repository_scripts: "read",
  list_files: "read",
  read_file: "read",
  search_files: "read",
  add_project: "work",
  list_agents: "read",
  get_machine_status: "read",
  add_agent: "work",
  get_app_context: "read",
  run_doctor: "read",
  switch_workspace: "work",
  delete_workspace: "work",
  update_workspace: "work",
  get_workspace_details: "read",
  get_workspace_diff: "read",
  resolve_anchors: "read",
  find_commit: "read",
  make_point: "work",
  mark_seen: "work",
  list_points: "read",
  restore_point: "work",
  get_change_status: "read",
  commit_workspace: "work",
  push_branch: "work",
  update_from_base: "work",
  merge_here: "work",
  run_gate: "work",
  start_agent_session: "work",
  get_agent_screen: "read",
  send_agent_input: "typing",
  resize_agent_session: "typing",
  send_review_round: "typing",
  answer_agent_request: "typing",
  release_agent_request: "typing",
  stop_agent_session: "work",
} satisfies Record<DeviceToolName, "work" | "typing" | "read">;

const kindOf = (tool: string) => Object.entries(kinds).find(([name]) => name === tool)?.[1];

export const tools = Object.keys(kinds).sort();

/** The frequent tools, which only read or type. They are hidden by default. */
export const frequentTools = Object.keys(kinds).filter((tool) => kindOf(tool) !== "work");

/** Whether a command of this tool can run again. Typed text is not stored. */
export const canRunAgain = (tool: string): boolean => kindOf(tool) !== "typing";
