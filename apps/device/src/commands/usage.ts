/** Exit codes beside 0 and 1 (it failed). */
export const exitCodes = { wrongUsage: 2, notConnected: 3, revoked: 4 } as const;

/** What a command's help ends with. */
export const example = (...lines: string[]): string =>
  `\nExample:\n${lines.map((line) => `  ${line}\n`).join("")}`;

/** A command's answer, for a script or for a person. */
export const answer = (facts: object, words: string, json: boolean | undefined): void => {
  process.stdout.write(json ? `${JSON.stringify(facts)}\n` : `${words}\n`);
};
