import { type ComponentProps, type ReactNode, useId } from "react";

/** The texts around an input. */
export interface FieldTexts {
  label: string;
  /** A sentence below the label. */
  hint?: string | undefined;
  /** The API's words about the value, if it was refused. */
  error?: string | undefined;
}

interface LabeledProps extends FieldTexts {
  /** Makes the input. The properties tie it to its texts. */
  children: (tied: Tied) => ReactNode;
}

interface Tied {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** The label, the hint and the error of an input. */
export function Labeled({ label, hint, error, children }: LabeledProps) {
  const id = useId();
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

/** An input with its label, its hint and its error. */
export const Field = ({ label, hint, error, ...props }: FieldProps) => (
  <Labeled label={label} hint={hint} error={error}>
    {(tied) => (
      <input
        {...tied}
        className="h-8 w-full rounded-md border border-edge bg-surface px-2.5 text-base outline-offset-0 read-only:bg-ground read-only:text-muted aria-invalid:border-danger"
        {...props}
      />
    )}
  </Labeled>
);
