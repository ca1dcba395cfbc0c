import type { Device } from "@grove/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebounced } from "../hooks/useDebounced";
import { useOrganization } from "../hooks/useOrganization";
import { toolQuery } from "../lib/commands/deviceTools";
import { Combobox } from "../ui/combobox";
import { Field } from "../ui/field";
import { isPath, pathOf } from "./repositoryUrl";

interface RepositoryFieldProps {
  /** The user's own online device, whose directories complete a path. */
  device: Device | undefined;
  value: string;
  onChange: (repository: string) => void;
  onBlur: () => void;
  error: string | undefined;
}

const ADDRESS_HINT = "https, ssh or user@host:path. Each machine clones it with its own git credentials.";
const DEBOUNCE_MS = 200;
const EXAMPLE = "https://github.com/acme/app";

/** The field for a repository: its address, or its path on a device. */
export function RepositoryField({ device, value, onChange, ...props }: RepositoryFieldProps) {
  const common = { label: "Repository", name: "repoUrl", value, required: true, autoFocus: true, ...props };
  return device ? (
    <PathCompletion device={device} onChange={onChange} {...common} />
  ) : (
    <Field
      {...common}
      hint={ADDRESS_HINT}
      placeholder={EXAMPLE}
      onChange={({ target }) => onChange(target.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

type PathCompletionProps = RepositoryFieldProps & { device: Device; label: string; name: string };

function PathCompletion({ device, ...props }: PathCompletionProps) {
  const { id: organizationId } = useOrganization();
  const path = useDebounced(pathOf(props.value), DEBOUNCE_MS);
  const { data } = useQuery({
    ...toolQuery({ organizationId, deviceId: device.id }, "list_directories", { path }),
    enabled: isPath(path),
    placeholderData: keepPreviousData,
  });
  const enteredPath = pathOf(props.value).toLowerCase();
  const suggestions = (data?.directories ?? [])
    .map(({ path: directory, isRepository }) =>
      isRepository
        ? { value: directory, note: "Git repository" }
        : { value: `${directory}/`, continues: true },
    )
    // Until the device has answered, the directories may belong to an earlier text.
    .filter(({ value }) => isPath(enteredPath) && value.toLowerCase().startsWith(enteredPath));
  return (
    <Combobox
      {...props}
      hint={`A URL that git can clone from, or a path on ${device.name}.`}
      placeholder={`~/code/app or ${EXAMPLE}`}
      suggestions={suggestions}
    />
  );
}
