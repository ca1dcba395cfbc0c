import { type ComponentProps, useId } from "react";

interface FieldProps extends Omit<ComponentProps<"input">, "className" | "id"> {
  label: string;
  /** A sentence below the label. */
  hint?: string | undefined;
  /** The API's words about the value, if it was refused. */
  error?: string | undefined;
}

/** An input with its label, its hint and its error. */
export function Field({ label, hint, error, ...props }: FieldProps) {
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
      <input
        id={id}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${hint ? `${id}-hint` : ""} ${error ? `${id}-error` : ""}`.trim() || undefined}
        className="h-8 w-full rounded-md border border-edge bg-surface px-2.5 text-base outline-offset-0 aria-invalid:border-danger"
        {...props}
      />
      {error && (
        <p id={`${id}-error`} className="text-danger text-sm">
          {error}
        </p>
      )}
    </div>
  );
}
