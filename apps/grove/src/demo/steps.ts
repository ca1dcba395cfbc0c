/** The steps of the demo: each on a line with the time that it took, and its result below. */
export function createSteps(write: (text: string) => void) {
  const startedAt = performance.now();
  let number = 0;
  return {
    async step<T>(title: string, run: () => Promise<T>, shown: (value: T) => string[]): Promise<T> {
      const startedAt = performance.now();
      write(`${++number}. ${title} ... `);
      const value = await run();
      write(`${seconds(performance.now() - startedAt)}\n`);
      for (const line of shown(value)) write(`   ${line}\n`);
      return value;
    },
    total: () => seconds(performance.now() - startedAt),
  };
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
