import { errorData } from "@grove/client";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { StandalonePage } from "../components/standalonePage";
import { useConsumeHashParam } from "../hooks/useConsumeHashParam";
import { auth, authQuery } from "../lib/api";
import { lazily } from "../lib/browser/lazily";
import { Button } from "../ui/button";
import { Field } from "../ui/field";
import { Form, FormProblem } from "../ui/form";
import { SignInError } from "./signInError";
import { useFinishSignIn } from "./useFinishSignIn";

const route = getRouteApi("/sign-in");

// Most servers offer only one sign-in method, so the others are loaded lazily.
const LocalSignIn = lazily(async () => (await import("./localSignIn")).LocalSignIn);
const GitHubSignIn = lazily(async () => (await import("./gitHubSignIn")).GitHubSignIn);

export function SignInPage() {
  const { to } = route.useSearch();
  const { data: options } = useSuspenseQuery(authQuery);
  const error = useConsumeHashParam("error") ?? (options.hasExpired ? "session_expired" : undefined);
  const onSuccess = useFinishSignIn(to);
  const signIn = useMutation({ mutationFn: auth.signIn, onSuccess });
  if (options.local) return <LocalSignIn />;
  const isWrong = errorData(signIn.error)?.reason === "invalid_credentials";
  return (
    <StandalonePage title="Sign in to Grove">
      {error !== undefined && <SignInError error={error} />}
      <Form
        error={isWrong ? null : signIn.error}
        onSubmit={(text) => signIn.mutate({ email: text("email"), password: text("password") })}
      >
        <Field label="Email" name="email" type="email" autoComplete="username" required autoFocus />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={isWrong ? signIn.error?.message : undefined}
        />
        <FormProblem title="Could not sign you in." />
        <Button type="submit" look="primary" busy={signIn.isPending}>
          Sign in
        </Button>
      </Form>
      {options.mail && (
        <p className="mt-4">
          <Link to="/forgot-password" className="text-accent underline">
            Forgot your password?
          </Link>
        </p>
      )}
      {options.github && <GitHubSignIn to={to} />}
      {(options.signUp === "open" || options.signUp === "first") && (
        <p className="mt-6 text-muted">
          No account yet?{" "}
          <Link to="/sign-up" search={to === undefined ? {} : { to }} className="text-accent underline">
            Sign up
          </Link>
        </p>
      )}
    </StandalonePage>
  );
}
