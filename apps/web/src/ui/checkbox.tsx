import type { ReactNode } from "react";

interface CheckboxProps {
  name: string;
  label: string;
  defaultChecked?: boolean;
  /** A sentence about the consequence. */
  children: ReactNode;
}

/** A choice of yes or no in a form. */
export const Checkbox = ({ name, label, defaultChecked, children }: CheckboxProps) => (
  <label className="flex cursor-pointer gap-2.5">
    <input type="checkbox" name={name} defaultChecked={defaultChecked} className="mt-0.5 size-4 shrink-0" />
    <span>
      <span className="block font-medium text-sm">{label}</span>
      <span className="block text-muted text-sm">{children}</span>
    </span>
  </label>
);
