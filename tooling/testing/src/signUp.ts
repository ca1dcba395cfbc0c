/** The password of every test account. */
export const password = "correct horse battery";

/** A new account and its session. */
export interface Account {
  readonly user: { readonly id: string; readonly email: string };
  /** The session's token. */
  readonly token: string;
}

/**
 * Signs a new person up with a running API.
 * @throws {Error} with the answer when the API refuses
 */
export async function signUp(url: string, name = "Ada"): Promise<Account> {
  const email = `${crypto.randomUUID()}@example.com`;
  const response = await fetch(`${url}/api/auth/sign-up`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, email, password }),
  });
  if (!response.ok) throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Account;
}
