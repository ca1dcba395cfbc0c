import { passwordLength } from "@grove/schemas";
import { Field } from "../ui/field";

interface NewPasswordFieldProps {
  label?: string;
  autoFocus?: boolean;
  error?: string | undefined;
}

/** The field for a new password, named `password` in the form. */
export const NewPasswordField = ({ label = "New password", ...props }: NewPasswordFieldProps) => (
  <Field
    label={label}
    name="password"
    type="password"
    autoComplete="new-password"
    hint={`At least ${passwordLength.min} characters.`}
    minLength={passwordLength.min}
    maxLength={passwordLength.max}
    required
    {...props}
  />
);
