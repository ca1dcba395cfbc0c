/** What a step gives: its value to those after it, and what of it is shown. */
export interface StepResult<T> {
  value: T;
  shown: string;
}

/** Steps that print themselves: their number and title, then their time and what came of them. */
export function createSteps(write: (text: string) => void) {
  const begun = performance.now();
  let number = 0;
  return {
    async step<T>(title: string, run: () => Promise<StepResult<T>>): Promise<T> {
      const startedAt = performance.now();
      write(`\n${++number}. ${title} ... `);
      const { value, shown } = await run();
      write(`${seconds(performance.now() - startedAt)}\n`);
      for (const line of shown.trimEnd().split("\n")) write(`   ${line}\n`);
      return value;
    },
    total: () => seconds(performance.now() - begun),
  };
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
