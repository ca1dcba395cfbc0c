import { type AppContext, countHidden, type Device, SHELL_AGENT, visibleText } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { toolQuery } from "../lib/commands/deviceTools";
import { Note } from "../ui/note";
import { Problem } from "../ui/problem";
import { Select } from "../ui/select";
import { TextArea } from "../ui/textArea";
import { VisibleName } from "../ui/visibleName";

/* The fields of a form that starts an agent. */

/** Loads the agents of a device that is online. */
function useAgents(device: Device | undefined) {
  const { id: organizationId } = useOrganization();
  return useQuery({
    ...toolQuery({ organizationId, deviceId: device?.id ?? "" }, "get_app_context", {}),
    enabled: device?.status === "online",
  });
}

interface AgentFieldProps {
  device: Device | undefined;
  /** "" is the device's default. */
  value: string;
  onChange: (agent: string) => void;
  /** The option to start no agent. */
  none?: { value: string; title: string };
}

export function AgentField({ device, value, onChange, none }: AgentFieldProps) {
  const { data } = useAgents(device);
  const agents = data?.agents ?? [];
  return (
    <Select
      label="Agent"
      value={value}
      disabled={device?.status !== "online"}
      onChange={onChange}
      options={[
        ...(none ? [none] : []),
        {
          value: "",
          title: data?.defaultAgent ? `Device default: ${data.defaultAgent}` : "Device default",
        },
        ...agents.map(({ name, version }) => ({
          value: name,
          title: version ? `${name} ${version}` : name,
        })),
        // The preselected agent, until the device's agents are loaded.
        ...(value === "" || value === none?.value || agents.some(({ name }) => name === value)
          ? []
          : [{ value, title: value }]),
      ]}
    />
  );
}

interface AgentNotesProps {
  device: Device | undefined;
  /** The form's own error, which is not shown a second time. */
  formError?: Error | null;
}

/** Warns if a device has no agent, or if its agents could not be loaded. */
export function AgentNotes({ device, formError }: AgentNotesProps) {
  const { data, error } = useAgents(device);
  return (
    <>
      {device && data && <MissingAgents device={device} {...data} />}
      {error && error.message !== formError?.message && (
        <Problem title="Could not load the agents of the device." error={error} />
      )}
    </>
  );
}

interface MissingAgentsProps extends Pick<AppContext, "agents" | "defaultAgent"> {
  device: Device;
}

/**
 * Warns if a device has no coding agent. Its default may be one with the name of the built-in shell, which is never the
 * default by itself.
 */
function MissingAgents({ device, agents, defaultAgent }: MissingAgentsProps) {
  if (defaultAgent !== null || agents.some(({ name }) => name !== SHELL_AGENT)) return null;
  return agents.length === 0 ? (
    <Note look="warn" title="No agent is installed on this device.">
      <HowToAdd device={device} />
    </Note>
  ) : (
    <Note look="warn" title={`The only agent of this device is “${SHELL_AGENT}”.`}>
      <p>Choose it to get a plain terminal.</p>
      <HowToAdd device={device} />
    </Note>
  );
}

function HowToAdd({ device: { id, name } }: { device: Device }) {
  const { slug: organization } = useOrganization();
  return (
    <p>
      The page of{" "}
      <Link
        to="/o/$organization/devices/$deviceId"
        params={{ organization, deviceId: id }}
        className="text-accent underline"
      >
        <VisibleName>{name}</VisibleName>
      </Link>{" "}
      has the commands that install coding agents, and adds other programs as agents.
    </p>
  );
}

interface PromptFieldProps {
  value: string;
  onChange: (prompt: string) => void;
  autoFocus?: boolean;
  required?: boolean;
}

/** The field for an agent's prompt. It warns of invisible characters and shows them. */
export const PromptField = ({ value, onChange, autoFocus = false, required = false }: PromptFieldProps) => (
  <>
    <TextArea
      label={required ? "Prompt" : "Prompt (optional)"}
      hint="The agent receives exactly this text."
      value={value}
      onChange={({ target }) => onChange(target.value)}
      maxLength={50_000}
      required={required}
      autoFocus={autoFocus}
    />
    {countHidden(value) > 0 && (
      <Note look="warn" title="The prompt contains invisible characters.">
        <pre className="wrap-anywhere max-h-48 w-full overflow-y-auto whitespace-pre-wrap font-mono text-sm">
          {visibleText(value)}
        </pre>
      </Note>
    )}
  </>
);
