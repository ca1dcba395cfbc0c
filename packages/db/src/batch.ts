import DataLoader from "dataloader";
import { isUnavailable } from "./errors";

export interface BatchOptions {
  /** Most items that one statement takes. */
  most: number;
  /** How many statements may be under way; what comes meanwhile waits for one of them. Unless told otherwise any number. */
  inFlight?: number;
}

/**
 * Makes one statement of what is asked for together. While none is under way that is what comes at the same moment; then what
 * comes in one turn of the event loop, or, while as many as may be are under way, until one of them ends. So a busy server
 * asks once, and commits once, for many requests; one that comes alone waits for nothing. Nothing is kept: whatever is
 * asked for is done after that.
 * @param run one statement for all of these items, which answers them in their order. When it fails for a reason of its own,
 * each item is tried alone, so that it fails for none but those which it cannot take.
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
      // Of one that was cut off nobody knows whether it took effect.
      if (items.length === 1 || isUnavailable(error)) throw error;
    } finally {
      running--;
      waiting.shift()?.();
    }
    // One at a time, beside the statements in flight: an item that is held up takes no more than one connection.
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
      return answer as Answer;
    } catch (error) {
      return error as Error;
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
      // On a busy server after the sockets that have something to read, which is where requests come from.
      if (running === 0) queueMicrotask(begin);
      else setImmediate(begin);
    },
  });
  return (item) => loader.load(item);
}
