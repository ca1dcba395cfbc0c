import { passwordLength } from "@grove/schemas";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { auth, authQuery } from "../app/api";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { fieldError, Problem } from "../ui/problem";
import { Card } from "./card";
import { textOf } from "./textOf";
import { useSignedIn } from "./useSignedIn";

const route = getRouteApi("/sign-up");

export function SignUpPage() {
  const { to } = route.useSearch();
  const { data: options } = useSuspenseQuery(authQuery);
  const onSuccess = useSignedIn(to);
  const signUp = useMutation({ mutationFn: auth.signUp, onSuccess });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signUp.mutate({
      name: textOf(form, "name"),
      email: textOf(form, "email"),
      password: textOf(form, "password"),
    });
  };
  const of = (field: string) => fieldError(signUp.error, field);
  const isAboutField = ["name", "email", "password"].some((field) => of(field) !== undefined);
  const signInLink = (
    <Link to="/sign-in" search={to === undefined ? {} : { to }} className="text-accent underline">
      Sign in
    </Link>
  );
  if (options.signUp === "closed" || options.signUp === "invite")
    return (
      <Card title="Sign-up is closed">
        <p>
          {options.signUp === "invite"
            ? "Accounts here are made by invitation. Ask a member of the team for one."
            : "Ask an administrator of this service for an account."}
        </p>
        <p className="mt-6 text-muted">Already have an account? {signInLink}</p>
      </Card>
    );
  return (
    <Card title="Make an account">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label="Name" name="name" autoComplete="name" required autoFocus error={of("name")} />
        <Field label="Email" name="email" type="email" autoComplete="username" required error={of("email")} />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          hint={`At least ${passwordLength.min} characters.`}
          minLength={passwordLength.min}
          maxLength={passwordLength.max}
          required
          error={of("password")}
        />
        {signUp.error && !isAboutField && <Problem title="No account was made." error={signUp.error} />}
        <Button type="submit" look="primary" busy={signUp.isPending}>
          Make the account
        </Button>
      </form>
      <p className="mt-6 text-muted">Already have an account? {signInLink}</p>
    </Card>
  );
}
