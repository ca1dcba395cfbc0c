import { useId } from "react";

interface SelectProps {
  label: string;
  /** The label is read out, but not shown. */
  hideLabel?: boolean;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; title: string }[];
}

/** A choice of one in a form, by the browser's own list. */
export function Select({ label, hideLabel = false, value, onChange, options }: SelectProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className={hideLabel ? "sr-only" : "font-medium text-sm"}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 w-full rounded-md border border-edge bg-surface px-2 text-base outline-offset-0"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </div>
  );
}
