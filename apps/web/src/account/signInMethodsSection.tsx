import { errorData } from "@grove/client";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { authQuery, queries } from "../lib/api";
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copyButton";
import { Field } from "../ui/field";
import { Form, FormProblem } from "../ui/form";
import { fieldError, Problem } from "../ui/problem";
import { Section } from "../ui/section";
import { NewPasswordField } from "./newPasswordField";

export function SignInMethodsSection({ isLocal }: { isLocal: boolean }) {
  const { linkCommand } = useSuspenseQuery(authQuery).data;
  const methods = useQuery(queries.user.getSignInMethods.queryOptions());
  return (
    <Section title="Sign-in">
      {isLocal ? (
        <>
          <p className="mb-2">You sign in with a link that this command prints on this machine:</p>
          <CopyLine text={linkCommand ?? "grove link"} label="Copy the command" />
        </>
      ) : (
        <>
          {methods.error && <Problem title="Could not load the sign-in methods." error={methods.error} />}
          {methods.data && methods.data.providers.length > 0 && (
            <p className="mb-3">You can sign in with GitHub.</p>
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
          Set one by email
        </Link>
      )}
    </p>
  );
}

function ChangePassword() {
  const [changeCount, setChangeCount] = useState(0);
  const change = useMutationWithRefetch(queries.user.changePassword.mutationOptions({ gcTime: 0 }), {
    refetch: [queries.user.listSessions.pathFilter()],
    onDone: () => setChangeCount((count) => count + 1),
  });
  const isWrong = errorData(change.error)?.reason === "invalid_credentials";
  const passwordError = fieldError(change.error, "newPassword");
  return (
    <Form
      key={changeCount}
      error={isWrong ? null : change.error}
      fields={["newPassword"]}
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
      <NewPasswordField error={passwordError} />
      <FormProblem title="Could not change the password." />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
        <p role="status" className="text-muted">
          {change.isSuccess && "Password changed. You were signed out everywhere else."}
        </p>
      </div>
    </Form>
  );
}
