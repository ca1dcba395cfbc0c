import { GroveError } from "@grove/auth";
import type { TRPCProcedureType } from "@trpc/server";
import { toTrpcError } from "../lib/errors";

/** The most characters of JSON that the responses of one batch may have in total. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** The remaining size of a batch's responses, which are all held in memory until the last one is ready. */
export class AnswerBudget {
  #remaining = MAX_CHARACTERS;
  #isFirst = true;

  /**
   * Call this before each call.
   * @throws {TRPCError} PAYLOAD_TOO_LARGE `answer_too_large`
   */
  requireRemaining(): void {
    if (this.#remaining <= 0) throw tooLarge();
  }

  /**
   * Subtracts a response. The first response of a batch always fits, so a large one can be requested alone.
   * @throws {TRPCError} PAYLOAD_TOO_LARGE `answer_too_large` for a query, which may be repeated. A mutation's response
   * is always returned
   */
  take(characters: number, type: TRPCProcedureType): void {
    if (characters > this.#remaining && type === "query" && !this.#isFirst) throw tooLarge();
    this.#isFirst = false;
    this.#remaining -= characters;
  }
}

const tooLarge = () =>
  toTrpcError(
    new GroveError(
      "PAYLOAD_TOO_LARGE",
      `The answers of this batch exceed ${MAX_CHARACTERS} characters in total. Request this one alone, or request less.`,
      { reason: "answer_too_large", details: { limit: MAX_CHARACTERS } },
    ),
  );
