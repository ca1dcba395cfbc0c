import { visibleName } from "@grove/schemas";
import { ChevronDown } from "lucide-react";
import { useId } from "react";
import { onKeys } from "./inputMethod";
import "./select.css";

interface SelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; title: string }[];
  /** Only for screen readers. */
  hideLabel?: boolean;
  disabled?: boolean;
}

/** Whether the list of `select.css` is shown. The system's list gets its keys itself. */
const isOpen = (select: HTMLSelectElement): boolean =>
  CSS.supports("appearance", "base-select") && select.matches(":open");

export function Select({
  label,
  value,
  onChange,
  options,
  hideLabel = false,
  disabled = false,
}: SelectProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className={hideLabel ? "sr-only" : "font-medium text-sm"}>
        {label}
      </label>
      <span className="relative flex">
        <select
          id={id}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKeys((event) => {
            // Escape closes the list, and not the dialog around it.
            if (event.key === "Escape" && isOpen(event.currentTarget)) event.stopPropagation();
          })}
          className="select h-8 w-full min-w-0 cursor-pointer appearance-none truncate rounded-md border border-edge bg-surface pr-8 pl-2.5 text-base outline-offset-0 disabled:cursor-not-allowed disabled:opacity-55"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {visibleName(option.title)}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute top-2 right-2.5 size-4 text-muted"
        />
      </span>
    </div>
  );
}
