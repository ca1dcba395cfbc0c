import type { Protocol } from "devtools-protocol";
import type { Session } from "./session";

export const levels = ["debug", "info", "warning", "error"] as const;
export type Level = (typeof levels)[number];

export interface Entry {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: Level;
  readonly text: string;
  /** `source:line` */
  readonly source: string | undefined;
}

const MAX_ENTRIES = 1_000;
const MAX_TEXT = 2_000;
/** The page keeps logged objects alive for the console's listeners; we release them after this many messages. */
const RELEASE_AFTER = 500;

/** The console of a window since the server connected: the last thousand entries. */
export class ConsoleLog {
  #entries: Entry[] = [];
  #lastId = 0;
  #dropped = 0;

  /** Listens to a session whose Runtime and Log domains are enabled. */
  listen(session: Session, release: () => void): void {
    session.on("Runtime.consoleAPICalled", (event) => {
      if (withoutLine.has(event.type)) return;
      const text = formatted(event.args);
      this.#add(levelOf(event.type), text, event.timestamp, placeOf(event.stackTrace?.callFrames[0]));
      if (this.#lastId % RELEASE_AFTER === 0) release();
    });
    session.on("Runtime.exceptionThrown", ({ timestamp, exceptionDetails }) => {
      const { text, exception, url, lineNumber } = exceptionDetails;
      const what = exception === undefined ? "" : ` ${textOf(exception)}`;
      this.#add("error", `${text}${what}`, timestamp, placeOf({ url: url ?? "", lineNumber }));
    });
    session.on("Log.entryAdded", ({ entry: { source, level, text, timestamp, url, lineNumber } }) => {
      if (source === "network" && isDefaultIcon(url)) return;
      // The address comes last. For a failed request it is complete, since nothing else names the resource.
      const where = source === "network" ? url : placeOf({ url: url ?? "", lineNumber });
      const place = url !== undefined && text.includes(url) ? undefined : where;
      this.#add(level === "verbose" ? "debug" : level, text, timestamp, place);
    });
  }

  get dropped(): number {
    return this.#dropped;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  clear(): void {
    this.#entries = [];
    this.#dropped = 0;
  }

  #add(level: Level, text: string, time: number, source: string | undefined): void {
    const kept = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text;
    // A stack has its place already.
    const place = source !== undefined && kept.includes(`${source}:`) ? undefined : source;
    this.#entries.push({ id: ++this.#lastId, level, text: kept, time, source: place });
    // Trimmed in larger steps, because removing the front entry of a long array for each new one costs the most.
    if (this.#entries.length < 2 * MAX_ENTRIES) return;
    this.#dropped += MAX_ENTRIES;
    this.#entries = this.#entries.slice(MAX_ENTRIES);
  }
}

/** Browsers request this icon from every site. Most sites have none, which is no error of the page. */
const isDefaultIcon = (url = ""): boolean => /^\w+:\/\/[^/]*\/favicon\.ico$/.test(url);

/** Calls that a console shows no line for. */
const withoutLine: ReadonlySet<string> = new Set(["endGroup", "clear"]);

const levelOf = (type: string): Level => {
  if (type === "error" || type === "assert") return "error";
  if (type === "warning") return "warning";
  return type === "debug" || type === "trace" ? "debug" : "info";
};

function placeOf(frame: { url: string; lineNumber?: number | undefined } | undefined): string | undefined {
  if (!frame || frame.url === "") return undefined;
  const name = frame.url.startsWith("data:") ? "data:" : frame.url.replace(/[?#].*$/, "");
  return frame.lineNumber === undefined ? name : `${name}:${frame.lineNumber + 1}`;
}

/** Values as the console shows them; the first may be a format string (https://console.spec.whatwg.org/#formatter). */
function formatted(args: readonly Protocol.Runtime.RemoteObject[]): string {
  const [first, ...rest] = args;
  if (first?.type !== "string" || rest.length === 0) return args.map(textOf).join(" ");
  const text = String(first.value).replace(/%([sdifoOc%])/g, (whole, kind: string) => {
    if (kind === "%") return "%";
    const value = rest.shift();
    if (value === undefined) return whole;
    // Styles: colours and fonts.
    if (kind === "c") return "";
    if (kind === "d" || kind === "i") return String(Math.trunc(Number(value.value ?? value.description)));
    return kind === "f" ? String(Number(value.value ?? value.description)) : textOf(value);
  });
  return [text, ...rest.map(textOf)].join(" ");
}

/** A logged value as the console shows it. */
function textOf(value: Protocol.Runtime.RemoteObject): string {
  if (value.type === "string") return String(value.value);
  if (value.unserializableValue !== undefined) return value.unserializableValue;
  if (value.type === "undefined") return "undefined";
  if (value.subtype === "node" && !value.description?.startsWith("#")) return `<${value.description}>`;
  if (value.preview && value.subtype !== "error") return previewOf(value.preview);
  return value.description ?? JSON.stringify(value.value ?? null);
}

function previewOf({ subtype, description, properties, overflow }: Protocol.Runtime.ObjectPreview): string {
  const isArray = subtype === "array";
  const parts = properties.map(({ name, value, type, valuePreview }) => {
    // Only a table has them.
    if (valuePreview) return `${isArray ? "" : `${name}: `}${previewOf(valuePreview)}`;
    const shown = type === "string" ? JSON.stringify(value) : (value ?? type);
    return isArray ? shown : `${name}: ${shown}`;
  });
  if (overflow) parts.push("…");
  if (isArray) return `[${parts.join(", ")}]`;
  const name = description === undefined || description === "Object" ? "" : `${description} `;
  return parts.length === 0 && name !== "" ? name.trim() : `${name}{${parts.join(", ")}}`;
}
