import { GroveError } from "@grove/auth";
import type { TRPCProcedureType } from "@trpc/server";
import { toTrpcError } from "./errors";

/** As many characters of JSON as the answers of one batch may have together. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** What is left for the answers of a batch, which are all held until the last of them is there. */
export class AnswerBudget {
  #left = MOST_CHARACTERS;
  #isFirst = true;

  /**
   * Before a call is begun.
   * @throws PAYLOAD_TOO_LARGE `answer_too_large`
   */
  requireLeft(): void {
    if (this.#left <= 0) throw tooLarge();
  }

  /**
   * Takes an answer's part. The first always fits, so that whatever is too large beside others can be asked for alone.
   * @throws PAYLOAD_TOO_LARGE `answer_too_large` for a query, which may be asked again; what a mutation has done is told
   */
  take(characters: number, type: TRPCProcedureType): void {
    if (characters > this.#left && type === "query" && !this.#isFirst) throw tooLarge();
    this.#isFirst = false;
    this.#left -= characters;
  }
}

const tooLarge = () =>
  toTrpcError(
    new GroveError(
      "PAYLOAD_TOO_LARGE",
      `The answers of this batch are larger than ${MOST_CHARACTERS} characters together. Ask for this alone, or for less.`,
      { reason: "answer_too_large", details: { limit: MOST_CHARACTERS } },
    ),
  );
