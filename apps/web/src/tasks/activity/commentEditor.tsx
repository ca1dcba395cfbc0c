import type { ReactNode } from "react";
import { Form, FormProblem } from "../../ui/form";
import { onKeys } from "../../ui/inputMethod";
import { TextArea } from "../../ui/textArea";

interface CommentEditorProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
  onSubmit: () => void;
  error: { message: string } | null;
  /** The title of the error. */
  failed: string;
  autoFocus?: boolean;
  rows?: number;
  buttons: ReactNode;
}

/** A form for a comment's Markdown. Ctrl+Enter submits it. */
export const CommentEditor = ({
  label,
  text,
  onChange,
  onSubmit,
  error,
  failed,
  autoFocus,
  rows = 3,
  buttons,
}: CommentEditorProps) => (
  <Form className="flex flex-col gap-2" error={error} fields={["body"]} onSubmit={onSubmit}>
    <TextArea
      label={label}
      name="body"
      rows={rows}
      maxLength={20_000}
      required
      autoFocus={autoFocus}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onKeys((event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
          event.currentTarget.form?.requestSubmit();
      })}
    />
    <FormProblem title={failed} />
    <div className="flex flex-wrap items-center gap-2">
      {buttons}
      <span className="ml-auto text-muted text-xs">Markdown · Ctrl+Enter to save</span>
    </div>
  </Form>
);
