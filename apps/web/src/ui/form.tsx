import type { ReactNode } from "react";

/** Returns a field's text, or "" for an unknown field. */
export type TextOf = (name: string) => string;

interface FormProps {
  onSubmit: (text: TextOf) => void;
  children: ReactNode;
}

/** A form whose fields are in a column. */
export const Form = ({ onSubmit, children }: FormProps) => (
  <form
    className="flex flex-col gap-4"
    onSubmit={(event) => {
      event.preventDefault();
      const form = new FormData(event.currentTarget);
      onSubmit((name) => `${form.get(name) ?? ""}`);
    }}
  >
    {children}
  </form>
);
