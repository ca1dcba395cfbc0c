import { type ComponentProps, type ReactNode, useId } from "react";
import { useFieldError } from "./form";

export interface FieldTexts {
  label: string;
  /** A sentence below the label. */
  hint?: string | undefined;
  /** The error message about the value, if it is not the one that the surrounding form has for this field. */
  error?: string | undefined;
}

interface LabeledProps extends FieldTexts {
  /** The field's name in the form. */
  name?: string | undefined;
  /** Renders the input with the attributes that link it to its label, hint and error. */
  children: (attributes: LabelAttributes) => ReactNode;
}

interface LabelAttributes {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

export function Labeled({ name, label, hint, error: ownError, children }: LabeledProps) {
  const id = useId();
  const formError = useFieldError(name);
  const error = ownError ?? formError;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      {children({
        id,
        "aria-invalid": error !== undefined || undefined,
        "aria-describedby": `${hint ? `${id}-hint` : ""} ${error ? `${id}-error` : ""}`.trim() || undefined,
      })}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-danger text-sm first-letter:uppercase">
          {error}
        </p>
      )}
    </div>
  );
}

interface FieldProps extends Omit<ComponentProps<"input">, "className" | "id">, FieldTexts {}

export const Field = ({ label, hint, error, ...props }: FieldProps) => (
  <Labeled label={label} hint={hint} error={error} name={props.name}>
    {(attributes) => (
      <input
        {...attributes}
        className="h-8 w-full rounded-md border border-edge bg-surface px-2.5 text-base outline-offset-0 read-only:bg-ground read-only:text-muted aria-invalid:border-danger"
        {...props}
      />
    )}
  </Labeled>
);
