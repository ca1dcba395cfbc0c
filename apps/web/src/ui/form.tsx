import type { ReactNode } from "react";

/** The text in a field of a form; "" if there is no such field. */
export type TextOf = (name: string) => string;

interface FormProps {
  onSubmit: (text: TextOf) => void;
  children: ReactNode;
}

/** Fields in a column. A script sends them, so that the page stays. */
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
