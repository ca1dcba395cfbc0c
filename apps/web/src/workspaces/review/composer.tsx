import { type Anchor, MAX_COMMENT, visibleName } from "@grove/schemas";
import { Button } from "../../ui/button";
import { onKeys } from "../../ui/inputMethod";
import { Problem } from "../../ui/problem";
import { TextArea } from "../../ui/textArea";
import { type DraftKey, useDraft } from "./useDraft";

interface ComposerProps {
  draft: DraftKey;
  readAnchor: () => Promise<Anchor>;
  /** Why the lines cannot be commented on. */
  anchorError?: Error | null;
  label: string;
  initial: string;
  onClose: () => void;
}

/** The editor of a draft. Closing it keeps the draft. */
export function Composer({ draft, readAnchor, anchorError, label, initial, onClose }: ComposerProps) {
  const { body, setBody, save, error, isSaved } = useDraft(draft, readAnchor, initial);
  const problem = error ?? anchorError;
  const retry = () => {
    // Its error becomes `anchorError`.
    readAnchor().catch(() => undefined);
    save();
  };
  return (
    <div className="flex flex-col gap-2 py-2">
      {problem && <Problem title="Could not save the comment." error={problem} onRetry={retry} />}
      <TextArea
        label={`Comment on ${visibleName(label)}`}
        name="comment"
        rows={3}
        autoFocus
        maxLength={MAX_COMMENT}
        value={body}
        onChange={({ target: { value } }) => setBody(value)}
        onBlur={save}
        onKeyDown={onKeys((event) => {
          if (event.key === "Escape") onClose();
        })}
      />
      <div className="flex items-center gap-3">
        <Button onClick={onClose}>Close</Button>
        <span role="status" className="text-muted text-sm">
          {isSaved ? "Draft saved" : ""}
        </span>
      </div>
    </div>
  );
}
