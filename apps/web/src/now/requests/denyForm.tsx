import { Button } from "../../ui/button";
import { Form } from "../../ui/form";
import { onKeys } from "../../ui/inputMethod";

interface DenyFormProps {
  message: string;
  onChange: (message: string) => void;
  isBusy: boolean;
  onDeny: () => void;
  onCancel: () => void;
}

/** A field for what the agent should do instead. Without a text, the request is just denied. */
export function DenyForm({ message, onChange, isBusy, onDeny, onCancel }: DenyFormProps) {
  const submit = () => {
    if (!isBusy) onDeny();
  };
  return (
    <Form onSubmit={submit} className="flex flex-wrap items-center gap-2">
      <input
        ref={focus}
        aria-label="Message to the agent"
        placeholder="What it should do instead (optional)"
        autoComplete="off"
        maxLength={9_999}
        value={message}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeys((event) => {
          if (event.key === "Escape") onCancel();
        })}
        className="h-8 min-w-48 flex-1 rounded-md border border-edge bg-surface px-2.5 text-sm outline-offset-0"
      />
      <Button type="submit" look="danger" busy={isBusy}>
        Deny
      </Button>
      <Button look="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </Form>
  );
}

const focus = (field: HTMLInputElement | null) => field?.focus();
