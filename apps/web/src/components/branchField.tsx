import type { Device, ListedBranch } from "@grove/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebounced } from "../hooks/useDebounced";
import { useOrganization } from "../hooks/useOrganization";
import { toolQuery } from "../lib/commands/deviceTools";
import { Combobox } from "../ui/combobox";
import { formatRelativeTime } from "../ui/relativeTime";

interface BranchFieldProps {
  label: string;
  /** The device whose branches are suggested. No suggestions while it is offline or has not cloned the repository. */
  device: Device | undefined;
  projectId: string;
  value: string;
  onChange: (branch: string) => void;
  /** The name of a branch to be created, or of one that exists. */
  names: "new" | "existing";
  placeholder?: string;
  required?: boolean;
  error?: string | undefined;
}

/** A field for a branch. It suggests the branches of the project's repository, newest first, and checks the name. */
export function BranchField({ device, projectId, names, error, ...field }: BranchFieldProps) {
  const { id: organizationId } = useOrganization();
  const name = field.value.trim();
  const search = useDebounced(name);
  const { data, isPlaceholderData } = useQuery({
    ...toolQuery({ organizationId, deviceId: device?.id ?? "" }, "list_branches", {
      projectId,
      ...(search && { search }),
    }),
    enabled: device?.status === "online" && projectId !== "",
    placeholderData: keepPreviousData,
  });
  const branches = data?.branches ?? [];
  const isKnown = branches.some((branch) => branch.name === name);
  const isAnswered = data !== undefined && !isPlaceholderData && search === name && name !== "";
  return (
    <Combobox
      {...field}
      maxLength={200}
      error={error ?? (isAnswered && names === "new" && isKnown ? alreadyExists : undefined)}
      hint={isAnswered && names === "existing" && !isKnown ? notFetched : undefined}
      suggestions={
        names === "new"
          ? []
          : branches
              .filter((branch) => branch.name.toLowerCase().includes(name.toLowerCase()))
              .map((branch) => ({ value: branch.name, note: noteOf(branch) }))
      }
    />
  );
}

const alreadyExists = "A branch with this name already exists. Choose “Existing branch” to check it out.";
const notFetched = "No branch of this name was fetched yet. It is looked up at origin.";

const noteOf = ({ local, committedAt }: ListedBranch): string =>
  `${local ? "" : "origin · "}${formatRelativeTime(Date.parse(committedAt), Date.now())}`;
