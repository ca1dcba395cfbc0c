import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Dialog, DialogButtons } from "./dialog";
import { Field } from "./field";
import { Form, type TextOf } from "./form";
import { Problem } from "./problem";

interface ConfirmationProps {
  title: string;
  /** The label of the confirming button. */
  action: string;
  look?: "primary" | "danger";
  /** A text that the user must type first. */
  textToType?: string;
  /** The mutation, and the title of its error. */
  change: { error: { message: string } | null; isPending: boolean };
  failed: string;
  onConfirm: (text: TextOf) => void;
  onClose: () => void;
  /** The consequences, and further fields. */
  children: ReactNode;
}

/** Asks for confirmation of a change that is hard to undo. */
export function Confirmation({
  title,
  action,
  look = "danger",
  textToType,
  change,
  failed,
  onConfirm,
  onClose,
  children,
}: ConfirmationProps) {
  const [text, setText] = useState("");
  const isTyped = textToType === undefined || text === textToType;
  return (
    <Dialog title={title} open onOpenChange={onClose}>
      <Form onSubmit={(form) => isTyped && onConfirm(form)}>
        {children}
        {textToType !== undefined && (
          <Field
            label={`Type ${textToType} to confirm`}
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
