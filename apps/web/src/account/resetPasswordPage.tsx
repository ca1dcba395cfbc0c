import { passwordLength } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { auth } from "../app/api";
import { takeFromFragment } from "../app/fragment";
import { Button, buttonClass } from "../ui/button";
import { Field } from "../ui/field";
import { fieldError, Problem } from "../ui/problem";
import { AskAgain } from "./askAgain";
import { Card } from "./card";
import { StartedOver } from "./startedOver";
import { textOf } from "./textOf";

/** Sets a new password with the token of a mail. */
export function ResetPasswordPage() {
  const [token] = useState(() => takeFromFragment("token"));
  const reset = useMutation({ mutationFn: auth.resetPassword });
  if (token === undefined) return <AskAgain />;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    reset.mutate({ token, password: textOf(new FormData(event.currentTarget), "password") });
  };
  if (reset.data)
    return (
      <Card title="Your password is set">
        {reset.data.startedOver ? <StartedOver /> : <p>All other sessions of the account have ended.</p>}
        <Link to="/sign-in" className={`mt-5 self-start ${buttonClass("primary")}`}>
          Sign in
        </Link>
      </Card>
    );
  const wrong = fieldError(reset.error, "password");
  return (
    <Card title="Set a new password">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${passwordLength.min} characters.`}
          minLength={passwordLength.min}
          maxLength={passwordLength.max}
          required
          autoFocus
          error={wrong}
        />
        {reset.error && wrong === undefined && (
          <Problem title="The password is still the same." error={reset.error}>
            <Link to="/forgot-password" className="text-accent underline">
              Ask for another link
            </Link>
          </Problem>
        )}
        <Button type="submit" look="primary" busy={reset.isPending}>
          Set the password
        </Button>
      </form>
    </Card>
  );
}
