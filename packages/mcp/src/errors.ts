/**
 * A failure the caller is told about: a stable snake_case code, a sentence that names the offending value, and what
 * to do next. Its text reaches a language model, so nothing internal (stack, SQL, token) may be put into it.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";

  constructor(
    readonly code: string,
    message: string,
    readonly nextStep: string,
  ) {
    super(message);
  }

  /** `<code>: <sentence>. <next step>`; the sentence may say the next step itself. */
  get text(): string {
    const sentence = /[.!?]$/.test(this.message) ? this.message : `${this.message}.`;
    return `${this.code}: ${sentence} ${this.nextStep}`.trimEnd();
  }
}

/** Nobody is signed in. The answer is the specification's text and nothing else. */
export class AuthenticationRequired extends Error {
  override readonly name = "AuthenticationRequired";
  readonly text = "Authentication required";

  constructor() {
    super("Authentication required");
  }
}

/** Why a call is aborted when its server ends. */
export class Stopping extends Error {
  override readonly name = "Stopping";
}

/** Ends a program before it serves: code 0 prints to stdout (help, version), any other to stderr. */
export class Exit extends Error {
  override readonly name = "Exit";

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
