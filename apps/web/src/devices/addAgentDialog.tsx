import { type Device, type DeviceToolParams, type PromptWay, visibleText } from "@grove/schemas";
import { useState } from "react";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization } from "../hooks/useOrganization";
import { runTool } from "../lib/commands/deviceTools";
import { Field } from "../ui/field";
import { FormDialog } from "../ui/formDialog";
import { Select } from "../ui/select";
import { VisibleName } from "../ui/visibleName";
import { splitCommand } from "./splitCommand";

const promptWays = {
  argument: "Replace {prompt} in the command",
  stdin: "Pipe it to the program's standard input",
  typed: "Type it into the program's terminal",
} satisfies Record<PromptWay, string>;

interface AddAgentDialogProps {
  device: Device;
  /** The file on the device that gets the agent. */
  configFile: string;
  onClose: () => void;
}

/** Asks for an agent, then shows what will be written on the device, and writes it. */
export function AddAgentDialog({ device, configFile, onClose }: AddAgentDialogProps) {
  const { id: organizationId } = useOrganization();
  const [name, setName] = useState("");
  const [line, setLine] = useState("");
  const [prompt, setPrompt] = useState<PromptWay>("argument");
  const [isReviewed, setReviewed] = useState(false);
  const change = useMutationWithRefetch(
    {
      mutationFn: (agent: DeviceToolParams<"add_agent">) =>
        runTool({ organizationId, deviceId: device.id }, "add_agent", agent),
    },
    { refetch: [{ queryKey: ["deviceTool", device.id] }], onDone: onClose },
  );
  const command = splitCommand(line);
  if (isReviewed && command)
    return (
      <Review
        device={device}
        configFile={configFile}
        agent={{ name: name.trim(), command, prompt }}
        change={change}
        onBack={() => {
          change.reset();
          setReviewed(false);
        }}
      />
    );
  return (
    <FormDialog
      title="Add an agent"
      action="Review"
      failed="Could not add the agent."
      change={{ error: null, isPending: false }}
      keepOpen
      onSubmit={() => setReviewed(command !== undefined && command.length > 0)}
      onClose={onClose}
    >
      <Field
        label="Name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        maxLength={100}
        required
        spellCheck={false}
        autoComplete="off"
      />
      <Field
        label="Command"
        hint="A program and its arguments. It runs without a shell. Put quotes around arguments with spaces."
        placeholder="my-agent run -- {prompt}"
        value={line}
        onChange={({ target }) => setLine(target.value)}
        maxLength={10_000}
        required
        spellCheck={false}
        autoComplete="off"
        error={command ? undefined : "The closing quote is missing."}
      />
      <Select
        label="How to pass the prompt"
        value={prompt}
        onChange={(value) => setPrompt(value as PromptWay)}
        options={Object.entries(promptWays).map(([value, title]) => ({ value, title }))}
      />
    </FormDialog>
  );
}

interface ReviewProps {
  device: Device;
  configFile: string;
  agent: DeviceToolParams<"add_agent">;
  change: {
    error: Error | null;
    isPending: boolean;
    mutate: (agent: DeviceToolParams<"add_agent">) => void;
  };
  onBack: () => void;
}

function Review({ device, configFile, agent, change, onBack }: ReviewProps) {
  const { name, command, prompt } = agent;
  return (
    <FormDialog
      title={`Add the agent to ${device.name}?`}
      action="Add"
      failed="Could not add the agent."
      change={change}
      keepOpen
      onSubmit={() => change.mutate(agent)}
      onClose={onBack}
    >
      <p className="wrap-anywhere">
        This is added to <VisibleName className="font-mono text-sm">{configFile}</VisibleName>. The rest of
        the file does not change.
      </p>
      <pre className="wrap-anywhere whitespace-pre-wrap rounded-md border border-line bg-ground p-3 font-mono text-sm">
        {visibleText(JSON.stringify({ agents: { [name]: { command, prompt } } }, null, 2))}
      </pre>
      <p className="text-muted">
        Everyone who can start agents on this machine can then run this command there, with the permissions of
        its user.
      </p>
    </FormDialog>
  );
}
