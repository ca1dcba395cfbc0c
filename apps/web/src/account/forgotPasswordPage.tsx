import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { StandalonePage } from "../components/standalonePage";
import { auth } from "../lib/api";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Form, FormProblem } from "../ui/form";

/** Mails a link to set a new password. The response does not reveal whether the account exists. */
export function ForgotPasswordPage() {
  const forgot = useMutation({ mutationFn: auth.forgotPassword });
  if (forgot.data)
    return (
      <StandalonePage title="Check your email">
        <p>
          If this address has an account, we sent it a link to set a new password. The link expires in an
          hour.
        </p>
      </StandalonePage>
    );
  return (
    <StandalonePage title="Reset your password">
      <Form
        onSubmit={(text) => forgot.mutate({ email: text("email") })}
        error={forgot.error}
        fields={["email"]}
      >
        <Field
          label="Email"
          hint="We email a reset link to this address."
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <FormProblem title="Could not send the email." />
        <Button type="submit" look="primary" busy={forgot.isPending}>
          Send reset link
        </Button>
      </Form>
      <p className="mt-6">
        <Link to="/sign-in" className="text-accent underline">
          Back to sign-in
        </Link>
      </p>
    </StandalonePage>
  );
}
