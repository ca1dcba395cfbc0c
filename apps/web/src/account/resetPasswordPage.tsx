import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { StandalonePage } from "../components/standalonePage";
import { auth } from "../lib/api";
import { takeHashSecret } from "../lib/browser/takeHashSecret";
import { Button, buttonClass } from "../ui/button";
import { Form, FormProblem } from "../ui/form";
import { AccountResetNotice } from "./accountResetNotice";
import { IncompleteLinkPage } from "./incompleteLinkPage";
import { NewPasswordField } from "./newPasswordField";

/** Sets a new password with the token of a mailed link. */
export function ResetPasswordPage() {
  const [token] = useState(() => takeHashSecret("token"));
  const reset = useMutation({ mutationFn: auth.resetPassword });
  if (token === undefined) return <IncompleteLinkPage />;
  if (reset.data)
    return (
      <StandalonePage title="Your password is set">
        {reset.data.startedOver ? (
          <AccountResetNotice />
        ) : (
          <p>All other sessions of the account were signed out.</p>
        )}
        <Link to="/sign-in" className={`mt-5 self-start ${buttonClass("primary")}`}>
          Sign in
        </Link>
      </StandalonePage>
    );
  return (
    <StandalonePage title="Set a new password">
      <Form
        onSubmit={(text) => reset.mutate({ token, password: text("password") })}
        error={reset.error}
        fields={["password"]}
      >
        <NewPasswordField autoFocus />
        <FormProblem title="Could not set the password.">
          <Link to="/forgot-password" className="text-accent underline">
            Request a new link
          </Link>
        </FormProblem>
        <Button type="submit" look="primary" busy={reset.isPending}>
          Set password
        </Button>
      </Form>
    </StandalonePage>
  );
}
