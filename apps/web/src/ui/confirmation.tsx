import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Dialog, DialogButtons } from "./dialog";
import { Field } from "./field";
import { Form, type TextOf } from "./form";
import { Problem } from "./problem";

interface ConfirmationProps {
  /** The question. */
  title: string;
  /** The words on the button that acts. */
  action: string;
  look?: "primary" | "danger";
  /** A text that must be typed first. */
  typed?: string;
  /** The change that is asked about, and the title for its failure. */
  change: { error: { message: string } | null; isPending: boolean };
  failed: string;
  onConfirm: (text: TextOf) => void;
  onClose: () => void;
  /** The consequences and losses; more fields. */
  children: ReactNode;
}

/** Asks before something happens that cannot be taken back easily. */
export function Confirmation({
  title,
  action,
  look = "danger",
  typed,
  change,
  failed,
  onConfirm,
  onClose,
  children,
}: ConfirmationProps) {
  const [text, setText] = useState("");
  const isTyped = typed === undefined || text === typed;
  return (
    <Dialog title={title} open onOpenChange={onClose}>
      <Form onSubmit={(form) => isTyped && onConfirm(form)}>
        {children}
        {typed !== undefined && (
          <Field
            label={`Type ${typed} to confirm`}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {change.error && <Problem title={failed} error={change.error} />}
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={look} disabled={!isTyped} busy={change.isPending}>
            {action}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}
