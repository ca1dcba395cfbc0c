import * as z from "zod";
import { email, id, name, timestamp } from "./values";

/** A person. The first four fields are the specification's and always strings (`image` "" when there is none). */
export const user = z.object({
  id,
  email: z.string(),
  name: z.string(),
  image: z.string(),
  emailVerified: z.boolean(),
  isAdmin: z.boolean(),
  createdAt: timestamp,
});
export type User = z.infer<typeof user>;

/** Passwords: 10 to 256 characters. */
export const password = z.string().min(10).max(256);

/** POST /api/auth/sign-up */
export const signUpInput = z.strictObject({ email, password, name });

/** POST /api/auth/sign-in. The password's length is not checked here: a wrong one is just wrong. */
export const signInInput = z.strictObject({ email, password: z.string().max(256) });

/** Answer to sign-up and sign-in: the token is the Bearer secret, also set as the cookie `grove_session`. */
export const signedIn = z.object({ user, token: z.string() });

/** GET /api/auth/session */
export const sessionInfo = z.object({
  user,
  session: z.object({ id, expiresAt: timestamp }),
});
