import { describeTool } from "@grove/mcp";
import { instructions, tools, VERSION } from "./tools";

/**
 * What the server says of itself. The build puts its value here (see @grove/tsup), so that a start needs neither the
 * tools nor the schemas of which their JSON Schemas are made.
 */
export const about = { version: VERSION, instructions, tools: tools.map(describeTool) };
