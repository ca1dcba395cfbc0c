import type { Device } from "@grove/schemas";
import { Trash2 } from "lucide-react";
import { BranchField } from "../../components/branchField";
import { IconButton } from "../../ui/button";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import type { Draft } from "./workspaceDraft";

interface DraftFieldsProps {
  draft: Draft;
  title: string;
  device: Device | undefined;
  projectId: string;
  defaultBranch: string;
  errorOf: (field: string) => string | undefined;
  onChange: (draft: Draft) => void;
  /** Omitted for the only draft. */
  onRemove?: () => void;
}

const kinds = [
  { value: "new", title: "New branch" },
  { value: "existing", title: "Existing branch" },
];

export function DraftFields({ draft, title, errorOf, onChange, onRemove, ...props }: DraftFieldsProps) {
  const { defaultBranch, ...repository } = props;
  const isNew = draft.kind === "new";
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  return (
    <li>
      <fieldset className="min-w-0 rounded-lg border border-line p-4">
        <legend className="sr-only">{title}</legend>
        <div className="mb-3 flex min-h-8 items-center">
          <span aria-hidden="true" className="font-medium">
            {title}
          </span>
          {onRemove && (
            <span className="ml-auto">
              <IconButton label={`Remove ${title}`} onClick={onRemove}>
                <Trash2 aria-hidden="true" className="size-4" />
              </IconButton>
            </span>
          )}
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Name"
            placeholder="Generated if empty"
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
            maxLength={200}
            autoComplete="off"
            error={errorOf("name")}
          />
          <Select
            label="Check out"
            value={draft.kind}
            onChange={(kind) => set({ kind: kind === "existing" ? "existing" : "new" })}
            options={kinds}
          />
          <BranchField
            {...repository}
            label="Branch"
            names={draft.kind}
            placeholder={isNew ? "grove/<name>" : "Local or on origin"}
            value={draft.branch}
            onChange={(branch) => set({ branch })}
            required={!isNew}
            error={errorOf("branchName") ?? errorOf("existingBranch")}
          />
          {isNew && (
            <BranchField
              {...repository}
              label="Starts from"
              names="existing"
              placeholder={defaultBranch}
              value={draft.base}
              onChange={(base) => set({ base })}
              error={errorOf("baseBranch")}
            />
          )}
        </div>
      </fieldset>
    </li>
  );
}
