import type { ComponentProps } from "react";
import { type FieldTexts, Labeled } from "./field";

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "className" | "id">, FieldTexts {}

export const TextArea = ({ label, hint, error, rows = 8, ...props }: TextAreaProps) => (
  <Labeled label={label} hint={hint} error={error} name={props.name}>
    {(attributes) => (
      <textarea
        {...attributes}
        rows={rows}
        className="w-full resize-y rounded-md border border-edge bg-surface px-2.5 py-2 text-base outline-offset-0 aria-invalid:border-danger"
        {...props}
      />
    )}
  </Labeled>
);
