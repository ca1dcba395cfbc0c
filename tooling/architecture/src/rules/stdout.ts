import { type Node, Visitor } from "oxc-parser";
import type { Rule } from "../repository";
import { isNamed, isProcess, keyOf, takesFromProcess } from "../source";

/** The transport with its guard, and `--help`, which ends the program before there is a transport. */
const allowedFiles = ["packages/mcp/src/stdio/run.ts", "packages/mcp/src/program.ts"];

/** An MCP server's stdout carries only messages. One stray line ends the session. */
export const noStdoutInMcpServer: Rule = (repository) => {
  const found: string[] = [];
  for (const { path, program, isTest, isConfig, lineOf } of repository.packages.flatMap(
    ({ sources }) => sources,
  )) {
    const isServer = path.startsWith("apps/mcp-") || path.startsWith("packages/mcp/");
    if (!isServer || isTest || isConfig || allowedFiles.includes(path)) continue;
    const report = (node: Node) =>
      found.push(`${path}:${lineOf(node)}: stdout is the transport's; log through packages/mcp`);
    new Visitor({
      MemberExpression: (node) => {
        const isStdout = isProcess(node.object) && keyOf(node) === "stdout";
        if (isStdout || isNamed(node.object, "console")) report(node);
      },
      ImportDeclaration: (node) => {
        if (takesFromProcess(node, "stdout")) report(node);
      },
    }).visit(program);
  }
  return found;
};
