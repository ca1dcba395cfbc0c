import { expect, it } from "vitest";
import { UserError } from "../errors";
import { waitFor } from "./wait";

const never = new AbortController().signal;

it("asks until there is an answer", async () => {
  let asked = 0;
  const answer = async () => (++asked === 3 ? "yes" : undefined);
  expect(await waitFor(answer, { signal: never, forMs: 20_000, otherwise: "too late" })).toBe("yes");
});

it("fails with the given message when the time is up, even while a question is open", async () => {
  const no = async () => undefined;
  await expect(waitFor(no, { signal: never, forMs: 1, otherwise: "too late" })).rejects.toThrow(
    new UserError("too late"),
  );
  const hangs = (signal: AbortSignal) =>
    new Promise<undefined>((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason)),
    );
  await expect(waitFor(hangs, { signal: never, forMs: 1, otherwise: "too late" })).rejects.toThrow(
    "too late",
  );
});

it("fails with the reason of an abort, or with the error of a question", async () => {
  const reason = new Error("the API ended");
  const options = { forMs: 20_000, otherwise: "too late" };
  await expect(
    waitFor(async () => undefined, { ...options, signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason);
  const failed = waitFor(() => Promise.reject(new Error("refused")), { ...options, signal: never });
  await expect(failed).rejects.toThrow("refused");
});
