import type { ReactNode } from "react";

interface CheckboxProps {
  name?: string;
  label: string;
  defaultChecked?: boolean;
  /** With `onChange`, for a setting that takes effect immediately. */
  checked?: boolean;
  onChange?: (checked: boolean) => void;
  /** The consequence, in a sentence. */
  children: ReactNode;
}

export const Checkbox = ({ label, onChange, children, ...props }: CheckboxProps) => (
  <label className="flex cursor-pointer gap-2.5">
    <input
      type="checkbox"
      onChange={onChange && (({ target }) => onChange(target.checked))}
      className="mt-0.5 size-4 shrink-0"
      {...props}
    />
    <span>
      <span className="block font-medium text-sm">{label}</span>
      <span className="block text-muted text-sm">{children}</span>
    </span>
  </label>
);
