import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startCollector } from "@grove/testing/collector";
import { startMcpServer } from "@grove/testing/mcpClient";
import { runProgram } from "@grove/testing/process";
import { expect, it, onTestFinished } from "vitest";
import { createRepository } from "./support/repository";
import { useGrove } from "./support/useGrove";

const fresh = useGrove();

interface ResourceSpans {
  resource: { attributes: { key: string; value: { stringValue: string } }[] };
  scopeSpans: { spans: Span[] }[];
}

interface Span {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

/** The spans in the requests that a collector received. */
const spansIn = (sent: readonly string[]): Span[] =>
  sent.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }: ResourceSpans) => {
      const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue;
      return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
    }),
  );

it("one trace goes from an MCP client's call through the API and the queue to git on the device", async () => {
  const collector = await startCollector(onTestFinished);
  const { machine } = fresh;
  machine.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  const { announced, local, stop } = await fresh.start("--port", "0");
  await createRepository(machine, "project");
  const added = await runProgram([...announced.addProject, "project"], {
    env: machine.env,
    cwd: machine.root,
  });
  expect(added.code).toBe(0);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const client = await startMcpServer({ ...announced.mcpServers.grove, env });
  const listed = await client.callTool({ name: "list_projects", arguments: {} });
  const { projects } = listed.structuredContent as { projects: { id: string }[] };
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const made = await client.callTool({
    name: "create_workspace",
    arguments: { deviceId: local.deviceId, projectId: projects[0]?.id, workspaces: [{ name: "Traced" }] },
    _meta: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  });
  expect(made.isError).toBeFalsy();
  // A program that ends sends the spans that are left.
  await client.close();
  await stop();

  const ours = spansIn(collector.sent).filter((span) => span.traceId === traceId);
  const ancestorsOf = (span: Span | undefined): string[] =>
    span
      ? [
          `${span.service}: ${span.name}`,
          ...ancestorsOf(ours.find(({ spanId }) => spanId === span.parentSpanId)),
        ]
      : [];
  const find = (name: string) => ours.find((span) => span.name === name);
  expect(ancestorsOf(find("git worktree"))).toEqual([
    "grove-device: git worktree",
    "grove-device: device create_workspace",
    "grove-api: agent.execute",
    "grove-mcp-cloud: tools/call create_workspace",
  ]);
  expect(find("tools/call create_workspace")?.parentSpanId).toBe("b7ad6b7169203331");
  for (const name of ["statement submit", "command queue"])
    expect(ancestorsOf(find(name))).toEqual([
      `grove-api: ${name}`,
      "grove-api: agent.execute",
      "grove-mcp-cloud: tools/call create_workspace",
    ]);
  // Log lines contain the id of their trace.
  expect(await readFile(join(announced.dataDir, "logs", "device.log"), "utf8")).toContain(
    `"trace_id":"${traceId}"`,
  );
});
