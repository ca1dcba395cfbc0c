import { toUser } from "@grove/auth";
import { user } from "@grove/schemas";
import { z } from "zod";
import { output } from "../outputs";
import { protectedProcedure, router } from "../trpc";

export const userRouter = router({
  /** The caller: a session's user, or the owner of an API key. */
  get: protectedProcedure(z.void())
    .output(output(user))
    .query(({ ctx }) => toUser(ctx.principal.user, ctx.services.config.adminEmailDomain)),
});
