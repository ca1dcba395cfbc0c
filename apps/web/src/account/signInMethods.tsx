import { errorData } from "@grove/client";
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { authQuery, queries, queryClient } from "../lib/api";
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copy";
import { Field } from "../ui/field";
import { Form } from "../ui/form";
import { fieldError, Problem } from "../ui/problem";
import { Section } from "../ui/section";
import { NewPasswordField } from "./newPasswordField";

export function SignInMethods({ isLocal }: { isLocal: boolean }) {
  const methods = useQuery(queries.user.getSignInMethods.queryOptions());
  return (
    <Section title="Sign-in">
      {isLocal ? (
        <>
          <p className="mb-2">You sign in with a link that this command prints on this machine:</p>
          <CopyLine text="grove link" label="Copy the command" />
        </>
      ) : (
        <>
          {methods.error && <Problem title="Could not load the sign-in methods." error={methods.error} />}
          {methods.data && methods.data.providers.length > 0 && (
            <p className="mb-3">You can sign in through GitHub.</p>
          )}
          {methods.data?.password && <ChangePassword />}
          {methods.data?.password === false && <NoPassword />}
        </>
      )}
    </Section>
  );
}

/** For accounts that only sign in through a provider. */
function NoPassword() {
  const { mail } = useSuspenseQuery(authQuery).data;
  return (
    <p className="text-muted">
      Your account has no password.{" "}
      {mail && (
        <Link to="/forgot-password" className="text-accent underline">
          Set one by mail
        </Link>
      )}
    </p>
  );
}

function ChangePassword() {
  const [done, setDone] = useState(0);
  const change = useMutation(
    queries.user.changePassword.mutationOptions({
      gcTime: 0,
      onSuccess: async () => {
        setDone((times) => times + 1);
        await queryClient.invalidateQueries(queries.user.listSessions.pathFilter());
      },
    }),
  );
  const isWrong = errorData(change.error)?.reason === "invalid_credentials";
  const tooWeak = fieldError(change.error, "newPassword");
  return (
    <Form
      key={done}
      onSubmit={(text) => change.mutate({ currentPassword: text("current"), newPassword: text("password") })}
    >
      <Field
        label="Current password"
        name="current"
        type="password"
        autoComplete="current-password"
        required
        error={isWrong ? "The password is wrong." : undefined}
      />
      <NewPasswordField error={tooWeak} />
      {change.error && !isWrong && tooWeak === undefined && (
        <Problem title="Could not change the password." error={change.error} />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" busy={change.isPending}>
          Change the password
        </Button>
        <p role="status" className="text-muted">
          {change.isSuccess && "Password changed. You were signed out everywhere else."}
        </p>
      </div>
    </Form>
  );
}
