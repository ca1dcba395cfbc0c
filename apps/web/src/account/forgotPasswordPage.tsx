import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { StandalonePage } from "../components/standalonePage";
import { auth } from "../lib/api";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { fieldError, Problem } from "../ui/problem";

/** Mails a link to set a new password. The response does not reveal whether the account exists. */
export function ForgotPasswordPage() {
  const forgot = useMutation({ mutationFn: auth.forgotPassword });
  const wrong = fieldError(forgot.error, "email");
  if (forgot.data)
    return (
      <StandalonePage title="Check your mail">
        <p>
          If this address has an account, a link to set a new password was sent. The link works for an hour.
        </p>
      </StandalonePage>
    );
  return (
    <StandalonePage title="Set a new password">
      <Form onSubmit={(text) => forgot.mutate({ email: text("email") })}>
        <Field
          label="Email"
          hint="The link is mailed to this address."
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          error={wrong}
        />
        {forgot.error && wrong === undefined && (
          <Problem title="Could not send the mail." error={forgot.error} />
        )}
        <Button type="submit" look="primary" busy={forgot.isPending}>
          Send the link
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
