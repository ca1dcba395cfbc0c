/** A statement of the public contract of the service. */
export interface Statement {
  /** How a test cites it, in a comment directly above the test: `// Contract: workspace.ensure.atomic`. */
  id: string;
  statement: string;
}

/**
 * Everything that clients of Grove rely on: names, fields, defaults, limits and errors. It changes only on purpose.
 * Each statement is proven by at least one test that cites it, which the rule `noStatementWithoutTest` checks.
 */
export const contract: readonly Statement[] = [
  // The procedure API
  {
    id: "api.routers",
    statement:
      "The root routers are admin, agent, apiKey, analytics, chat, device, integration, organization, project, task, user and workspace; integration has codehost, tracker and messenger.",
  },
  { id: "api.kinds", statement: "Reading procedures are queries, writing ones are mutations." },
  { id: "api.path", statement: "tRPC's batching HTTP link reaches every procedure below /api/trpc." },
  { id: "user.get", statement: "Takes no input and returns the caller's id, email, name and image." },
  {
    id: "workspace.ensure.input",
    statement:
      "Requires organizationId, the project's name, slug, repoOwner, repoName and repoUrl, and the workspace's id, name, type and config.",
  },
  {
    id: "workspace.ensure.defaultBranch",
    statement: "The project's defaultBranch is main if it is omitted.",
  },
  {
    id: "workspace.ensure.output",
    statement: "Returns projectId, workspaceId and txid, the transaction's id as a string.",
  },
  {
    id: "workspace.ensure.upsert",
    statement: "Returns the ids of the project and the workspace if they exist, and makes them otherwise.",
  },
  {
    id: "workspace.ensure.atomic",
    statement: "Makes the project and the workspace in one transaction, or neither.",
  },
  { id: "workspace.types", statement: "A workspace's type is worktree or main." },
  {
    id: "workspace.create",
    statement: "Takes projectId, organizationId, name, type and config, and returns the workspace.",
  },
  { id: "workspace.delete", statement: "Takes id and organizationId, and returns { success: true }." },
  {
    id: "workspace.delete.authorization",
    statement: "Deletes nothing of an organization of which the caller is no member.",
  },
  {
    id: "workspace.list",
    statement: "Returns the organization's workspaces, each with at least id and name.",
  },
  {
    id: "codehost.listRepos",
    statement: "Returns the repositories that the connected code host lets Grove read.",
  },
  {
    id: "codehost.createWebhook",
    statement: "Subscribes to the named events of a repository, by repoOwner and repoName.",
  },
  { id: "tracker.listIssues", statement: "Returns the tracker's issues." },
  { id: "tracker.listIssues.team", statement: "Returns one team's issues if teamId is given." },
  { id: "messenger.sendMessage", statement: "Sends a text to a channel, by the channel's id." },
  { id: "device.list", statement: "Returns the organization's devices, without their keys." },
  {
    id: "device.register",
    statement: "Takes organizationId, name and platform, and returns the device with an API key.",
  },
  { id: "device.platforms", statement: "A device's platform is mac, windows or linux." },
  {
    id: "task.create",
    statement: "Requires organizationId and title; description and assigneeId may be omitted.",
  },
  { id: "task.list", statement: "Returns the organization's tasks; status filters them." },
  { id: "analytics.track", statement: "Records an event by its name; properties may be omitted." },
  // Guards and errors
  { id: "guards.public", statement: "A public procedure needs no credential." },
  {
    id: "guards.protected",
    statement: "A protected procedure refuses a call without a session as UNAUTHORIZED, and asks to sign in.",
  },
  {
    id: "guards.admin",
    statement:
      "An admin procedure refuses a session whose email is not of the configured domain as FORBIDDEN, and names the domain.",
  },
  { id: "errors.badRequest", statement: "Invalid input is BAD_REQUEST, with the fields that are wrong." },
  // The tool servers
  {
    id: "mcp.stdio",
    statement: "Both servers speak MCP over standard input and output, and write nothing else to it.",
  },
  {
    id: "mcp.validation",
    statement: "Input that does not fit a tool's schema is refused before the tool runs.",
  },
  {
    id: "mcp.result",
    statement: "A result has content of text entries, and isError for failures that the caller can correct.",
  },
  { id: "mcp.initialized", statement: "After initialization the server sends an initialized notification." },
  { id: "mcp.internal", statement: "A failure inside the server becomes an error without internal details." },
  {
    id: "mcp.environment",
    statement: "The servers are configured by environment variables such as API_KEY and LOG_LEVEL.",
  },
  { id: "desktop.version", statement: "The desktop server is desktop-automation 0.1.0." },
  {
    id: "desktop.tools",
    statement:
      "It has take_screenshot, inspect_dom, click, type_text, send_keys, get_console_logs, evaluate_js, navigate and get_window_info.",
  },
  {
    id: "desktop.click.coordinates",
    statement: "With both x and y, click clicks there and returns a text with the coordinates.",
  },
  {
    id: "desktop.click.element",
    statement: "Otherwise click finds the element, clicks its position and returns a text with its tag.",
  },
  { id: "desktop.click.locators", statement: "click finds elements by selector, text or testId." },
  {
    id: "desktop.click.index",
    statement: "index is an integer of at least 0, by default 0: which match to click.",
  },
  {
    id: "desktop.click.fuzzy",
    statement: "fuzzy is true by default; if it is false, only exact texts match.",
  },
  { id: "cloud.version", statement: "The cloud server is 1.0.0, by a name that SERVICE_NAME sets." },
  {
    id: "cloud.tools",
    statement:
      "It has list_devices, list_workspaces, create_workspace, switch_workspace, delete_workspace, update_workspace, list_projects, get_app_context, get_workspace_details, start_agent_session, create_task, update_task, list_tasks, get_task, delete_task, list_task_statuses and list_members.",
  },
  { id: "cloud.createWorkspace.count", statement: "create_workspace takes 1 to 5 workspaces." },
  {
    id: "cloud.createWorkspace.required",
    statement: "create_workspace requires deviceId, projectId and workspaces.",
  },
  {
    id: "cloud.createWorkspace.defaults",
    statement:
      "name and branchName are generated if they are omitted; baseBranch is main where the repository has it.",
  },
  {
    id: "cloud.createWorkspace.forwards",
    statement: "The device makes the git worktrees, on behalf of the caller.",
  },
  {
    id: "cloud.authentication",
    statement: "Without a user, a tool answers exactly Authentication required, with isError.",
  },
];
