import { describeTool } from "@grove/mcp";
import { instructions } from "./instructions";
import { NAME, readOnlyTools, tools, VERSION } from "./tools";

/**
 * The server's description of itself. The build replaces it by its value (see @grove/tsup), so that a start loads
 * neither the tools nor the schemas behind their JSON Schemas.
 */
export const about = {
  name: NAME,
  version: VERSION,
  instructions,
  tools: tools.map(describeTool),
  readOnlyTools: readOnlyTools.map(describeTool),
};
