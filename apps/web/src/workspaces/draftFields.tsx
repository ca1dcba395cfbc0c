import { Trash2 } from "lucide-react";
import { IconButton } from "../ui/button";
import { Field } from "../ui/field";
import { Select } from "../ui/select";
import type { Draft } from "./workspaceDraft";

interface DraftFieldsProps {
  draft: Draft;
  title: string;
  defaultBranch: string;
  errorOf: (field: string) => string | undefined;
  onChange: (draft: Draft) => void;
  /** Omitted for the only draft. */
  onRemove?: () => void;
}

const kinds = [
  { value: "new", title: "A new branch" },
  { value: "existing", title: "An existing branch" },
];

export function DraftFields({ draft, title, defaultBranch, errorOf, onChange, onRemove }: DraftFieldsProps) {
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
            placeholder="Chosen by the device"
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
            maxLength={200}
            autoComplete="off"
            error={errorOf("name")}
          />
          <Select
            label="On"
            value={draft.kind}
            onChange={(kind) => set({ kind: kind === "existing" ? "existing" : "new" })}
            options={kinds}
          />
          <Field
            label={isNew ? "New branch" : "Branch"}
            placeholder={isNew ? "grove/<name>" : "Local or on origin"}
            value={draft.branch}
            onChange={(event) => set({ branch: event.target.value })}
            maxLength={200}
            required={!isNew}
            spellCheck={false}
            autoComplete="off"
            error={errorOf("branchName") ?? errorOf("existingBranch")}
          />
          {isNew && (
            <Field
              label="Starts from"
              placeholder={defaultBranch}
              value={draft.base}
              onChange={(event) => set({ base: event.target.value })}
              maxLength={200}
              spellCheck={false}
              autoComplete="off"
              error={errorOf("baseBranch")}
            />
          )}
        </div>
      </fieldset>
    </li>
  );
}
