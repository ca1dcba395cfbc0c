import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { StandalonePage } from "../components/standalonePage";
import { auth, authQuery, queryClient } from "../lib/api";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Form, FormProblem } from "../ui/form";
import { invitationPath, invitationQuery, invitationToken } from "./invitation";
import { NewPasswordField } from "./newPasswordField";
import { useFinishSignIn } from "./useFinishSignIn";

const route = getRouteApi("/sign-up");

export function SignUpPage() {
  const { to } = route.useSearch();
  const { data: options } = useSuspenseQuery(authQuery);
  const [token] = useState(() => (to === invitationPath ? invitationToken() : undefined));
  const invitation = useQuery(invitationQuery(token));
  const isOpen = options.signUp === "open" || options.signUp === "first";
  const canSignUp = isOpen || (options.signUp === "invite" && token !== undefined);
  const signInLink = (
    <p className="mt-6 text-muted">
      Already have an account?{" "}
      <Link to="/sign-in" search={to === undefined ? {} : { to }} className="text-accent underline">
        Sign in
      </Link>
    </p>
  );
  if (!canSignUp)
    return (
      <StandalonePage title="Sign-up is closed">
        <p>
          {options.signUp === "invite"
            ? "You need an invitation to create an account here. Ask a member of the team for one."
            : "Ask an administrator of this service for an account."}
        </p>
        {signInLink}
      </StandalonePage>
    );
  return (
    <StandalonePage title="Create an account">
      {!invitation.isLoading && <SignUpForm to={to} token={token} email={invitation.data?.email} />}
      {signInLink}
    </StandalonePage>
  );
}

interface SignUpFormProps {
  to: string | undefined;
  /** The token of the invitation to accept. */
  token: string | undefined;
  /** The invited address. */
  email: string | undefined;
}

function SignUpForm({ to, token, email }: SignUpFormProps) {
  const finishSignIn = useFinishSignIn(to);
  const signUp = useMutation({
    mutationFn: auth.signUp,
    gcTime: 0,
    onSuccess: async (signedIn) => {
      // The cached invitation is stale: it was accepted.
      queryClient.removeQueries(invitationQuery(token));
      await finishSignIn(signedIn);
    },
  });
  return (
    <Form
      error={signUp.error}
      fields={["name", "email", "password"]}
      onSubmit={(text) =>
        signUp.mutate({
          name: text("name"),
          email: text("email"),
          password: text("password"),
          ...(token !== undefined && { invitationToken: token }),
        })
      }
    >
      <Field label="Name" name="name" maxLength={200} autoComplete="name" required autoFocus />
      <Field
        label="Email"
        hint={email === undefined ? undefined : "The invitation is for this address."}
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        readOnly={email !== undefined}
        required
      />
      <NewPasswordField label="Password" />
      <FormProblem title="Could not create the account." />
      <Button type="submit" look="primary" busy={signUp.isPending}>
        Create account
      </Button>
    </Form>
  );
}
