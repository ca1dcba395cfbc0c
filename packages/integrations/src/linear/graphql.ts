import * as z from "zod";

const answer = z.object({
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z
          .object({
            type: z.string().optional(),
            code: z.string().optional(),
            userPresentableMessage: z.string().optional(),
          })
          .optional(),
      }),
    )
    .optional(),
});

/** The errors of a GraphQL answer; none when it has none, or is none. */
export const errorsOf = (json: unknown) => answer.safeParse(json).data?.errors ?? [];
