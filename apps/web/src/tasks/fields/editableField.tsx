import { type ComponentProps, useEffect, useId, useRef } from "react";
import { onKeys } from "../../ui/inputMethod";

interface EditableFieldProps
  extends Omit<ComponentProps<"input">, "className" | "id" | "value" | "onChange"> {
  label: string;
  value: string;
  onSave: (value: string) => void;
}

/** An input that saves on Enter or blur. Escape restores the saved value. */
export function EditableField({ label, value, onSave, ...props }: EditableFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A remote change must not overwrite what the user is typing.
    if (input.current && document.activeElement !== input.current) input.current.value = value;
  }, [value]);
  function save(field: HTMLInputElement): void {
    const next = field.value.trim();
    if (next === value) return;
    if (field.reportValidity()) onSave(next);
    else field.value = value;
  }
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <input
        ref={input}
        id={id}
        autoComplete="off"
        defaultValue={value}
        className="h-8 w-full rounded-md border border-edge/60 bg-raised px-2.5 text-sm placeholder:text-muted"
        onBlur={({ currentTarget }) => save(currentTarget)}
        onKeyDown={onKeys(({ key, currentTarget }) => {
          if (key === "Enter") save(currentTarget);
          if (key === "Escape") currentTarget.value = value;
        })}
        {...props}
      />
    </div>
  );
}
