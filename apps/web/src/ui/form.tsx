import { type ComponentProps, createContext, type ReactNode, useContext } from "react";
import { fieldError, Problem } from "./problem";

/** Returns a field's text, or "" for an unknown field and an unchecked checkbox. */
export type TextOf = (name: string) => string;

interface FormErrors {
  /** The error of the mutation that the form starts. */
  error?: { message: string } | null;
  /** The fields that show the API's message about their value. `FormProblem` shows all other errors. */
  fields?: readonly string[];
}

const FormErrorsContext = createContext<FormErrors>({});

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit">, FormErrors {
  onSubmit: (text: TextOf) => void;
}

/** A form, by default with its fields in a column. It keeps the input when the mutation fails. */
export const Form = ({ onSubmit, error, fields, className, ...props }: FormProps) => (
  <FormErrorsContext value={{ error, fields }}>
    <form
      className={className ?? "flex flex-col gap-4"}
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        onSubmit((name) => `${form.get(name) ?? ""}`);
      }}
      {...props}
    />
  </FormErrorsContext>
);

/** Returns the API's message about a field of the surrounding form. */
export function useFieldError(name: string | undefined): string | undefined {
  const { error = null, fields = [] } = useContext(FormErrorsContext);
  return name !== undefined && fields.includes(name) ? fieldError(error, name) : undefined;
}

/** The error of the surrounding form, unless one of its fields shows it. */
export function FormProblem(props: { title: string; children?: ReactNode }) {
  const { error = null, fields = [] } = useContext(FormErrorsContext);
  if (!error || fields.some((field) => fieldError(error, field) !== undefined)) return null;
  return <Problem error={error} {...props} />;
}
