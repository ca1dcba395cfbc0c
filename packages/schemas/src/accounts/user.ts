import * as z from "zod";
import { email, id, image, name, page, timestamp } from "../values";
import { passwordLength } from "./passwordLength";

/** A person. The first four fields are always strings; `image` is "" if there is none. */
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

export const password = z.string().min(passwordLength.min).max(passwordLength.max);

/** A password for a sign-in. A password that is too short is wrong anyway, so only the maximum is checked. */
const presentedPassword = z.string().max(passwordLength.max);

/** The token in a mail's link. */
const token = z.string().max(200);

/** POST /api/auth/sign-up. It also accepts an invitation, which is required if SIGN_UP is `invite`. */
export const signUpInput = z.strictObject({ email, password, name, invitationToken: token.optional() });
export type SignUpInput = z.input<typeof signUpInput>;

/** POST /api/auth/sign-in */
export const signInInput = z.strictObject({ email, password: presentedPassword });
export type SignInInput = z.input<typeof signInInput>;

/** POST /api/auth/verify-email */
export const verifyEmailInput = z.strictObject({ token });
export type VerifyEmailInput = z.input<typeof verifyEmailInput>;

/** POST /api/auth/forgot-password */
export const forgotPasswordInput = z.strictObject({ email });
export type ForgotPasswordInput = z.input<typeof forgotPasswordInput>;

/** POST /api/auth/reset-password */
export const resetPasswordInput = z.strictObject({ token, password });
export type ResetPasswordInput = z.input<typeof resetPasswordInput>;

/**
 * The response to verify-email and reset-password. `startedOver`: the address was unproven, and the request came
 * without a session of the account. The account's password, sessions, keys, devices and memberships were deleted.
 */
export const addressProven = z.object({
  success: z.literal(true),
  startedOver: z.literal(true).optional(),
});
export type AddressProven = z.infer<typeof addressProven>;

/**
 * The response to sign-up and sign-in. The token is the Bearer secret, also set as the cookie `grove_session`, or over
 * TLS as `__Host-grove_session`.
 */
export const signedIn = z.object({ user, token: z.string() });
export type SignedIn = z.infer<typeof signedIn>;

/** GET /api/auth/session */
export const sessionInfo = z.object({
  user,
  session: z.object({ id, expiresAt: timestamp }),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

/**
 * GET /api/auth/options: the ways to sign in and to sign up here, and the session if there is one. `local`: a person
 * signs in by a link that `linkCommand` prints there. `mail`: forgotten passwords are mailed a link.
 */
export const authOptions = z.object({
  signUp: z.enum(["open", "invite", "first", "closed"]),
  github: z.boolean(),
  mail: z.boolean(),
  local: z.boolean(),
  /** For people to copy into a terminal; null unless `local`. */
  linkCommand: z.string().nullable(),
  version: z.string(),
  session: sessionInfo.nullable(),
});
export type AuthOptions = z.infer<typeof authOptions>;

/** POST /api/auth/links. `endEarlier`: also ends the sessions that earlier links have begun. */
export const linkCreateInput = z.strictObject({ endEarlier: z.boolean().default(false) });
/** The code of a link that signs a browser in once. */
export const link = z.object({ code: z.string(), expiresAt: timestamp });
export type Link = z.infer<typeof link>;

/** POST /api/auth/link */
export const linkUseInput = z.strictObject({ code: token });
/** The token of the session that has begun. */
export const signInLinkResult = z.object({ token: z.string() });
export type SignInLinkResult = z.infer<typeof signInLinkResult>;

/** user.update: an https URL, or null for no image. */
export const userUpdateInput = z.strictObject({ name: name.optional(), image: image.nullable().optional() });
export type UserUpdateInput = z.infer<typeof userUpdateInput>;
export const userChangePasswordInput = z.strictObject({
  currentPassword: presentedPassword,
  newPassword: password,
});
export const userRevokeSessionInput = z.strictObject({ id });
export type UserRevokeSessionInput = z.infer<typeof userRevokeSessionInput>;
export const userDeleteInput = z.strictObject({ password: presentedPassword });

/** The ways in which the caller can sign in: by a password, and through providers. */
export const signInMethods = z.object({ password: z.boolean(), providers: z.array(z.enum(["github"])) });
export type SignInMethods = z.infer<typeof signInMethods>;

const sessionsPage = z.object(page);
/** Without an input: the first page. */
export const userListSessionsInput = sessionsPage
  .nullish()
  .transform((given) => given ?? sessionsPage.parse({}));
export type UserListSessionsInput = z.infer<typeof userListSessionsInput>;

/** A session of the caller. `current`: this request uses it. */
export const userSession = z.object({
  id,
  createdAt: timestamp,
  lastUsedAt: timestamp,
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  current: z.boolean(),
});
export type UserSession = z.infer<typeof userSession>;
