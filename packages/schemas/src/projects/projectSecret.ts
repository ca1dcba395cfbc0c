import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { id, text, timestamp } from "../values";

/** Secrets become environment variables of agent sessions: upper-case names. */
export const secretKey = z
  .string()
  .max(200)
  .regex(/^[A-Z_][A-Z0-9_]*$/, "must be upper-case letters, digits and _, and not begin with a digit");

export const secretLimits = { valueBytes: 64 * 1024, perProject: 100 } as const;

const secretValue = text(secretLimits.valueBytes).refine(
  (value) => new TextEncoder().encode(value).length <= secretLimits.valueBytes,
  "must be at most 64 KiB",
);

/** A secret without its value. */
export const projectSecret = z.object({ key: z.string(), createdAt: timestamp, updatedAt: timestamp });
export type ProjectSecret = z.infer<typeof projectSecret>;

const ofProject = { ...organizationScope, projectId: id };
export const projectListSecretsInput = z.object(ofProject);
export type ProjectListSecretsInput = z.infer<typeof projectListSecretsInput>;
export const projectSetSecretInput = z.strictObject({ ...ofProject, key: secretKey, value: secretValue });
export type ProjectSetSecretInput = z.infer<typeof projectSetSecretInput>;
export const projectDeleteSecretInput = z.strictObject({ ...ofProject, key: secretKey });
export type ProjectDeleteSecretInput = z.infer<typeof projectDeleteSecretInput>;
export const projectRevealSecretInput = z.strictObject({ ...ofProject, key: secretKey });
export type ProjectRevealSecretInput = z.infer<typeof projectRevealSecretInput>;
export const revealedSecret = z.object({ key: z.string(), value: z.string() });

/** agent.sessionSecrets: the environment of a session, by variable. */
export const sessionSecrets = z.record(z.string(), z.string());
