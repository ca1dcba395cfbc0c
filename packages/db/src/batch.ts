import DataLoader from "dataloader";
import { isUnavailable } from "./errors";

export interface BatchOptions {
  /** The most items that one statement takes. */
  most: number;
  /** How many statements may be in flight; later items wait until one of them ends. No limit by default. */
  inFlight?: number;
}

/**
 * Batches concurrent calls into one statement. When idle it collects until the next microtask. When busy it collects
 * for one turn of the event loop, or until one of `inFlight` statements ends. So a busy server makes one statement and
 * one commit for many requests, and a single request waits for nothing. Results are not cached: each call is answered
 * by a statement that begins after it.
 * @param run one statement for all these items, which returns their answers in order. If it fails for a reason of its
 * own, each item is tried alone, so that only items which are at fault fail.
 */
export function batch<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  { most, inFlight = Number.POSITIVE_INFINITY }: BatchOptions,
): (item: Item) => Promise<Answer> {
  const waiting: (() => void)[] = [];
  let running = 0;
  let alone: Promise<unknown> = Promise.resolve();

  async function runAll(items: readonly Item[]): Promise<readonly (Answer | Error)[]> {
    running++;
    try {
      return await run(items);
    } catch (error) {
      // If the connection was lost, the statement may have taken effect, so it is not repeated.
      if (items.length === 1 || isUnavailable(error)) throw error;
    } finally {
      running--;
      waiting.shift()?.();
    }
    // One at a time, besides the statements in flight: a blocked item occupies only one connection.
    const answers: (Answer | Error)[] = [];
    for (const item of items) {
      const answer = alone.then(() => runAlone(item));
      alone = answer;
      answers.push(await answer);
    }
    return answers;
  }

  async function runAlone(item: Item): Promise<Answer | Error> {
    try {
      const [answer] = await run([item]);
      // `run` returns an answer for each item.
      return answer as Answer;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  const loader = new DataLoader<Item, Answer>(runAll, {
    cache: false,
    maxBatchSize: most,
    batchScheduleFn: (start) => {
      const begin = () => {
        if (running < inFlight) start();
        else waiting.push(start);
      };
      // On a busy server, after the event loop has read its sockets, from which requests come.
      if (running === 0) queueMicrotask(begin);
      else setImmediate(begin);
    },
  });
  return (item) => loader.load(item);
}
