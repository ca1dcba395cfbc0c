import { agentExecuteInput, deviceTools } from "@grove/schemas";
import * as z from "zod";

/** By the tool's name. Made once: zod compiles a schema on first use, which takes longer than a whole command. */
const paramsSchemas = new Map(
  Object.entries(deviceTools).map(([tool, { params }]) => [tool, z.object({ params })]),
);

/**
 * The input of agent.execute, with the tool's parameters. For a tool that only newer agents have, the agent checks
 * them.
 */
export const executeInput = agentExecuteInput.superRefine((input, context) => {
  const checked = paramsSchemas.get(input.tool)?.safeParse(input);
  for (const { path, message } of checked?.error?.issues ?? [])
    context.addIssue({ code: "custom", path, message });
});
