import type { Device, DeviceToolResult } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { toolQuery } from "../lib/commands/deviceTools";
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copyButton";
import { Problem } from "../ui/problem";
import { Section } from "../ui/section";
import { VisibleName } from "../ui/visibleName";
import { AddAgentDialog } from "./addAgentDialog";

type ListedAgents = DeviceToolResult<"list_agents">;

const origins = {
  config: "From config.json",
  preset: "Preset",
  shell: "Built in: a plain terminal",
} satisfies Record<ListedAgents["agents"][number]["origin"], string>;

/** The agents that can be started on a device that is online, and how to get more. */
export function AgentsSection({ device, isMine }: { device: Device; isMine: boolean }) {
  const { id: organizationId } = useOrganization();
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(
    toolQuery({ organizationId, deviceId: device.id }, "list_agents", {}),
  );
  const add = (
    <Button disabled={!data} onClick={() => setAdding(true)}>
      Add an agent
    </Button>
  );
  return (
    <Section title="Coding agents" actions={isMine && add}>
      {error && <Problem title="Could not list the agents." error={error} onRetry={() => void refetch()} />}
      {data && <AgentList agents={data.agents} />}
      {data && <MissingAgents missing={data.missing} />}
      {data && isAdding && (
        <AddAgentDialog device={device} configFile={data.configFile} onClose={() => setAdding(false)} />
      )}
    </Section>
  );
}

function AgentList({ agents }: { agents: ListedAgents["agents"] }) {
  if (agents.length === 0) return <p className="text-muted">No agents were found on this machine.</p>;
  return (
    <ul
      aria-label="Agents found"
      className="flex flex-col divide-y divide-line rounded-lg border border-line"
    >
      {agents.map(({ name, version, path, origin }) => (
        <li key={name} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-3 py-2">
          <span className="w-40 shrink-0">
            <VisibleName className="font-medium">{name}</VisibleName>{" "}
            <span className="text-muted">{version}</span>
          </span>
          <span className="wrap-anywhere min-w-0 flex-1 basis-60 font-mono text-sm">
            <VisibleName>{path}</VisibleName>
          </span>
          <span className="text-muted text-sm">{origins[origin]}</span>
        </li>
      ))}
    </ul>
  );
}

function MissingAgents({ missing }: { missing: ListedAgents["missing"] }) {
  if (missing.length === 0) return null;
  return (
    <details className="mt-3">
      <summary className="cursor-pointer text-muted">
        {missing.length} not installed: {missing.map(({ name }) => name).join(", ")}
      </summary>
      <ul aria-label="Agents not installed" className="mt-2 flex flex-col gap-2">
        {missing.map(({ name, program, install }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="w-28 shrink-0">
              <VisibleName>{name}</VisibleName>
            </span>
            <div className="min-w-0 flex-1 basis-60">
              {install === undefined ? (
                <p className="text-muted">
                  config.json lists it, but this machine has no program <VisibleName>{program}</VisibleName>.
                </p>
              ) : (
                <CopyLine text={install} label={`Copy the command that installs ${name}`} />
              )}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
