import { type ComponentProps, useId } from "react";

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "className" | "id"> {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

/** An input of several lines with its label, its hint and its error. */
export function TextArea({ label, hint, error, rows = 8, ...props }: TextAreaProps) {
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
      <textarea
        id={id}
        rows={rows}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${hint ? `${id}-hint` : ""} ${error ? `${id}-error` : ""}`.trim() || undefined}
        className="w-full resize-y rounded-md border border-edge bg-surface px-2.5 py-2 text-base outline-offset-0 aria-invalid:border-danger"
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
