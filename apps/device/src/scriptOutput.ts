/** How many lines of the last output an error quotes, to help with the repair. */
const MAX_LINES = 20;

/** The last output of a repository's script or hook, which the messages about its failure quote. */
export class ScriptOutput {
  readonly #lines: string[] = [];
  readonly #name: string;

  /** @param name the script as the messages name it, such as `The hook pre-push` */
  constructor(name: string) {
    this.#name = name;
  }

  add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  failure(why: string): string {
    return `${this.#name} ${why}. Its last output:\n${this.#lines.join("\n") || "(nothing)"}`;
  }

  /** @param code null after a signal */
  exitFailure(code: number | null): string {
    return this.failure(code === null ? "was ended by a signal" : `ended with exit code ${code}`);
  }

  timeoutFailure(seconds: number): string {
    return this.failure(
      `did not end within ${seconds} s (scriptTimeoutSeconds in the device's config.json) and was ended`,
    );
  }
}
