import type {
  AddressProven,
  AuthOptions,
  ErrorData,
  ForgotPasswordInput,
  ResetPasswordInput,
  SignedIn,
  SignInInput,
  SignInLinkResult,
  SignUpInput,
  Success,
  VerifyEmailInput,
} from "@grove/schemas";
import { TRPCClientError } from "@trpc/client";
import type { ClientOptions } from "./index";

export type { AuthOptions, SignedIn };

interface ErrorAnswer {
  error: { message: string; code: number; data: ErrorData };
}

/**
 * Accounts and sessions. They have routes instead of procedures, since they set cookies. Failed calls throw the same
 * errors as those of the client.
 */
export function createAuthClient({ apiUrl, token, fetch: fetcher = fetch }: ClientOptions) {
  const base = `${apiUrl.replace(/\/+$/, "")}/api/auth`;
  async function send<Answer>(path: string, body?: object): Promise<Answer> {
    const secret = typeof token === "function" ? token() : token;
    const response = await fetcher(`${base}/${path}`, {
      method: body ? "POST" : "GET",
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
      },
      credentials: secret === undefined ? "include" : "omit",
      body: body ? JSON.stringify(body) : null,
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw TRPCClientError.from(answer as ErrorAnswer);
    return answer as Answer;
  }
  return {
    /** The ways to sign in and to sign up here, and the current session, or null. */
    options: () => send<AuthOptions>("options"),
    signIn: (input: SignInInput) => send<SignedIn>("sign-in", input),
    signUp: (input: SignUpInput) => send<SignedIn>("sign-up", input),
    /** Begins a session with the code of a one-time link. The caller stores the session's token. */
    exchangeLink: (code: string) => send<SignInLinkResult>("link", { code }),
    /** Mails a link for a new password, if an account has this address. */
    forgotPassword: (input: ForgotPasswordInput) => send<Success>("forgot-password", input),
    /** Sets a password with the token of a mail. */
    resetPassword: (input: ResetPasswordInput) => send<AddressProven>("reset-password", input),
    /** Mails the session's user another link that verifies the address. */
    resendVerification: () => send<Success>("resend-verification", {}),
    /** Verifies an address with the token of a mail. Without the account's session, the account starts over. */
    verifyEmail: (input: VerifyEmailInput) => send<AddressProven>("verify-email", input),
    /** Ends the session. Without one, nothing happens. */
    signOut: () => send<Success>("sign-out", {}),
  };
}

export type AuthClient = ReturnType<typeof createAuthClient>;
