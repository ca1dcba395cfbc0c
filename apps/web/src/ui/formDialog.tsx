import { type ReactNode, useState } from "react";
import { Button, type ButtonLook } from "./button";
import { Dialog, DialogButtons } from "./dialog";
import { Field } from "./field";
import { Form, FormProblem, type TextOf } from "./form";

interface FormDialogProps {
  title: string;
  /** The label of the submitting button. */
  action: string;
  look?: ButtonLook;
  disabled?: boolean;
  /** Why the submitting button is disabled. */
  reason?: string | undefined;
  /** The mutation that the form starts. */
  change: { error: { message: string } | null; isPending: boolean };
  /** The title of the mutation's error. */
  failed: string;
  /** The fields that show the API's message about their value. */
  fields?: readonly string[];
  keepOpen?: boolean;
  onSubmit: (text: TextOf) => void;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog with a form that starts one mutation. The dialog stays open, with its input, if the mutation fails. */
export function FormDialog({ title, keepOpen, onSubmit, onClose, children, ...props }: FormDialogProps) {
  const { action, look = "primary", disabled, reason, change, failed, fields } = props;
  return (
    <Dialog title={title} open onOpenChange={onClose} keepOpen={keepOpen}>
      <Form onSubmit={onSubmit} error={change.error} fields={fields}>
        {children}
        <FormProblem title={failed} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={look} disabled={disabled} reason={reason} busy={change.isPending}>
            {action}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

interface ConfirmationProps extends Omit<FormDialogProps, "disabled"> {
  /** A text that the user must type first. */
  textToType?: string;
}

/** Asks for confirmation of a change that is hard to undo. */
export function Confirmation({ textToType, onSubmit, children, ...props }: ConfirmationProps) {
  const [text, setText] = useState("");
  const isTyped = textToType === undefined || text === textToType;
  return (
    <FormDialog look="danger" disabled={!isTyped} onSubmit={(form) => isTyped && onSubmit(form)} {...props}>
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
    </FormDialog>
  );
}
