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

/** The errors of a GraphQL response; empty if there are none, or if it is not a GraphQL response. */
export const errorsOf = (json: unknown) => answer.safeParse(json).data?.errors ?? [];
