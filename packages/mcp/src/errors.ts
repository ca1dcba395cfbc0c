/**
 * A failure that is reported to the caller: a stable snake_case code, a sentence that names the offending value, and
 * the next step. Its text reaches a language model, so it must contain nothing internal (stack, SQL, token).
 */
export class ToolError extends Error {
  override readonly name = "ToolError";

  readonly code: string;
  readonly nextStep: string;

  constructor(code: string, message: string, nextStep: string) {
    super(message);
    this.code = code;
    this.nextStep = nextStep;
  }

  /** `<code>: <sentence>. <next step>`; the next step is empty where the sentence already contains it. */
  get text(): string {
    const sentence = /[.!?]$/.test(this.message) ? this.message : `${this.message}.`;
    return `${this.code}: ${sentence} ${this.nextStep}`.trimEnd();
  }
}

/** The caller is not signed in. The text is exactly the one that the contract requires. */
export class AuthenticationRequired extends Error {
  override readonly name = "AuthenticationRequired";
  readonly text = "Authentication required";

  constructor() {
    super("Authentication required");
  }
}

/** A tool that is not offered. MCP requires the protocol's own error for it, "Error Handling" of "Tools". */
export class UnknownTool extends Error {
  override readonly name = "UnknownTool";

  constructor(name: string, offered: readonly { readonly name: string }[]) {
    super(
      `Unknown tool: ${JSON.stringify(name)}. The tools are: ${offered.map((tool) => tool.name).join(", ")}.`,
    );
  }
}

/** The abort reason of a call whose server is stopping. */
export class Stopping extends Error {
  override readonly name = "Stopping";
}

/** Ends a program before it serves: code 0 prints to stdout (help, version), any other code to stderr. */
export class Exit extends Error {
  override readonly name = "Exit";

  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
