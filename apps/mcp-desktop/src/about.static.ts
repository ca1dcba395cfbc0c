import { describeTool } from "@grove/mcp";
import { instructions, NAME, readOnlyTools, tools, VERSION } from "./tools";

/**
 * What the server says of itself. The build puts its value here (see @grove/tsup), so that a start needs neither the
 * tools nor the schemas of which their JSON Schemas are made.
 */
export const about = {
  name: NAME,
  version: VERSION,
  instructions,
  tools: tools.map(describeTool),
  readOnlyTools: readOnlyTools.map(describeTool),
};
