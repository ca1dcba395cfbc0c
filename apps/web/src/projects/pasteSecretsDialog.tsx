import { useState } from "react";
import { FormDialog } from "../ui/formDialog";
import { pluralize } from "../ui/pluralize";
import { TextArea } from "../ui/textArea";
import { type Fault, parseEnv } from "./parseEnv";
import { useSetSecrets } from "./useSetSecrets";

interface PasteSecretsDialogProps {
  organizationId: string;
  projectId: string;
  names: readonly string[];
  text: string;
  onClose: () => void;
}

/** Sets many secrets from lines. Lists invalid lines, and keeps the text until all secrets are set. */
export function PasteSecretsDialog({
  organizationId,
  projectId,
  names,
  text: initialText,
  onClose,
}: PasteSecretsDialogProps) {
  const [text, setText] = useState(initialText);
  const { entries, faults } = parseEnv(text);
  const set = useSetSecrets({ organizationId, projectId, onDone: onClose });
  const reason =
    faults.length > 0
      ? "Some lines are invalid."
      : entries.length === 0
        ? "Paste at least one line."
        : undefined;
  return (
    <FormDialog
      title="Import secrets"
      action={set.isPending ? "Saving…" : `Save ${pluralize(entries.length, "secret")}`}
      reason={reason}
      change={set}
      failed="Could not save the secrets."
      keepOpen
      onSubmit={() => reason === undefined && set.mutate(entries)}
      onClose={onClose}
    >
      <TextArea
        label="Secrets"
        hint="KEY=value, one per line, as in a .env file. Comments and empty lines are ignored."
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          set.reset();
        }}
        rows={10}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        required
      />
      <LinesSummary
        entryCount={entries.length}
        replacedCount={entries.filter(({ key }) => names.includes(key)).length}
        isInvalid={faults.length > 0}
        faults={[...faults, ...(set.data ?? [])].toSorted((a, b) => a.line - b.line)}
      />
    </FormDialog>
  );
}

interface LinesSummaryProps {
  entryCount: number;
  /** The number of entries that change an existing secret. */
  replacedCount: number;
  /** Whether the lines are invalid; otherwise the API refused them. */
  isInvalid: boolean;
  faults: readonly Fault[];
}

/** The number of secrets in the lines, and the lines that are invalid or were refused. */
const LinesSummary = ({ entryCount, replacedCount, isInvalid, faults }: LinesSummaryProps) => (
  <div role="status" className="flex flex-col gap-1 text-sm">
    {entryCount > 0 && (
      <p>
        {pluralize(entryCount, "secret")}
        {replacedCount > 0 &&
          `, ${replacedCount} of which ${replacedCount === 1 ? "replaces" : "replace"} an existing value`}
        .
      </p>
    )}
    {faults.length > 0 && (
      <>
        <p className="font-medium text-danger">
          {isInvalid ? "Fix these lines first. Nothing was saved:" : "Could not save these:"}
        </p>
        <ul className="flex max-h-40 flex-col gap-0.5 overflow-y-auto text-danger">
          {faults.map(({ line, message }) => (
            <li key={line} className="wrap-anywhere">
              Line {line}: {message}
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
);
