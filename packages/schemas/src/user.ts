import * as z from "zod";
import { email, id, image, name, page, timestamp } from "./values";

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

/** A password as it is presented: its length is not checked here, since a wrong one is just wrong. */
const presentedPassword = z.string().max(256);

/** What a mail's link carries. */
const token = z.string().max(200);

/** POST /api/auth/sign-up. An invitation is accepted along with it; where SIGN_UP is `invite`, there must be one. */
export const signUpInput = z.strictObject({ email, password, name, invitationToken: token.optional() });

/** POST /api/auth/sign-in */
export const signInInput = z.strictObject({ email, password: presentedPassword });

/** POST /api/auth/verify-email */
export const verifyEmailInput = z.strictObject({ token });

/** POST /api/auth/forgot-password */
export const forgotPasswordInput = z.strictObject({ email });

/** POST /api/auth/reset-password */
export const resetPasswordInput = z.strictObject({ token, password });

/**
 * Answer to verify-email and reset-password. `startedOver` is there when the address had not been proven and the
 * account's own session did not come along: its password, sessions, keys, devices and memberships are gone.
 */
export const addressProven = z.object({
  success: z.literal(true),
  startedOver: z.literal(true).optional(),
});

/**
 * The answer to sign-up and sign-in. The token is the Bearer secret. It is also set as the cookie `grove_session`, over TLS
 * `__Host-grove_session`.
 */
export const signedIn = z.object({ user, token: z.string() });

/** GET /api/auth/session */
export const sessionInfo = z.object({
  user,
  session: z.object({ id, expiresAt: timestamp }),
});

/** user.update: an https URL, or null for no image. */
export const userUpdateInput = z.strictObject({ name: name.optional(), image: image.nullable().optional() });
export const userChangePasswordInput = z.strictObject({
  currentPassword: presentedPassword,
  newPassword: password,
});
export const userRevokeSessionInput = z.strictObject({ id });
export const userDeleteInput = z.strictObject({ password: presentedPassword });

const sessionsPage = z.object(page);
/** May be left out: the first page. */
export const userListSessionsInput = sessionsPage
  .nullish()
  .transform((given) => given ?? sessionsPage.parse({}));

/** One of the caller's sessions; `current` is the one that asks. */
export const userSession = z.object({
  id,
  createdAt: timestamp,
  lastUsedAt: timestamp,
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  current: z.boolean(),
});
export type UserSession = z.infer<typeof userSession>;
