import { initTRPC, TRPCError } from "@trpc/server";
import { expect, it } from "vitest";
import { createClient, errorData } from "./index";
import { serve } from "./testing";

class Refusal extends TRPCError {
  readonly reason: string;

  constructor(code: TRPCError["code"], reason: string) {
    super({ code, message: reason });
    this.reason = reason;
  }
}

const t = initTRPC.create({
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    data: { ...shape.data, ...(error instanceof Refusal && { reason: error.reason }) },
  }),
});

/** An API that refuses the first `times` calls. */
async function refusing(times: number, refusal: Refusal) {
  let left = times;
  const answer = () => {
    if (left-- > 0) throw refusal;
    return { name: "Ada" };
  };
  const user = t.router({ get: t.procedure.query(answer), delete: t.procedure.mutation(answer) });
  const { apiUrl, seen } = await serve(t.router({ user }));
  return { client: createClient({ apiUrl, token: "grk_secret" }), seen };
}

const busy = new Refusal("TOO_MANY_REQUESTS", "too_many_in_progress");

it("repeats a call that was refused because too much was in progress", async () => {
  const { client, seen } = await refusing(2, busy);
  expect(await client.user.get.query()).toEqual({ name: "Ada" });
  expect(seen).toHaveLength(3);
});

it("also repeats a mutation, since it was not begun", async () => {
  const { client, seen } = await refusing(1, busy);
  await client.user.delete.mutate({ password: "hunter2" });
  expect(seen).toHaveLength(2);
});

it("does not repeat a call that was refused for another reason", async () => {
  const { client, seen } = await refusing(1, new Refusal("TOO_MANY_REQUESTS", "rate_limited"));
  const error = await client.user.get.query().catch((cause: unknown) => cause);
  expect(errorData(error)?.reason).toBe("rate_limited");
  expect(seen).toHaveLength(1);
});

it("repeats a call alone when its batch had too large an answer", async () => {
  const { client, seen } = await refusing(1, new Refusal("PAYLOAD_TOO_LARGE", "answer_too_large"));
  await Promise.all([client.user.get.query(), client.user.get.query()]);
  expect(seen.map(({ calls }) => calls)).toEqual([["user.get", "user.get"], ["user.get"]]);
});

it("gives up in the end", async () => {
  const { client, seen } = await refusing(Number.POSITIVE_INFINITY, busy);
  const error = await client.user.get.query().catch((cause: unknown) => cause);
  expect(errorData(error)?.reason).toBe("too_many_in_progress");
  expect(seen).toHaveLength(5);
}, 20_000);
