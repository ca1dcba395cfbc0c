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
  #droppedCount = 0;

  /** Listens to a session whose Runtime and Log domains are enabled. */
  listen(session: Session, release: () => void): void {
    session.on("Runtime.consoleAPICalled", (event) => {
      if (withoutLine.has(event.type)) return;
      const text = formatted(event.args);
      this.#addEntry(levelOf(event.type), text, event.timestamp, placeOf(event.stackTrace?.callFrames[0]));
      if (this.#lastId % RELEASE_AFTER === 0) release();
    });
    session.on("Runtime.exceptionThrown", ({ timestamp, exceptionDetails }) => {
      const { text, exception, url, lineNumber } = exceptionDetails;
      const exceptionText = exception === undefined ? "" : ` ${textOf(exception)}`;
      this.#addEntry("error", `${text}${exceptionText}`, timestamp, placeOf({ url: url ?? "", lineNumber }));
    });
    session.on("Log.entryAdded", ({ entry }) => {
      const { source, level, timestamp, url, lineNumber } = entry;
      if (source === "network" && isDefaultIcon(url)) return;
      const text = withElements(entry);
      // The address comes last. For a failed request it is complete, since nothing else names the resource.
      const position = source === "network" ? url : placeOf({ url: url ?? "", lineNumber });
      const place = url !== undefined && text.includes(url) ? undefined : position;
      this.#addEntry(level === "verbose" ? "debug" : level, text, timestamp, place);
    });
  }

  get dropped(): number {
    return this.#droppedCount;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  clear(): void {
    this.#entries = [];
    this.#droppedCount = 0;
  }

  #addEntry(level: Level, text: string, time: number, source: string | undefined): void {
    const keptText =
      text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${text.length} characters)` : text;
    // A stack already contains its location.
    const place = source !== undefined && keptText.includes(`${source}:`) ? undefined : source;
    this.#entries.push({ id: ++this.#lastId, level, text: keptText, time, source: place });
    // Trimmed in larger steps, because removing the front entry of a long array for each new one costs the most.
    if (this.#entries.length < 2 * MAX_ENTRIES) return;
    this.#droppedCount += MAX_ENTRIES;
    this.#entries = this.#entries.slice(MAX_ENTRIES);
  }
}

/**
 * The text of a message by the browser itself. `%o` in it is replaced by an element:
 * `[DOM] Found 2 elements with non-unique id #a: %o`.
 */
function withElements({ text, args = [] }: Protocol.Log.LogEntry): string {
  return args.length > 0
    ? formatted([{ type: "string", value: text }, ...args])
    : text.replace(/:? %[oO]$/, "");
}

/** Browsers request this icon from every site. Most sites have none, which is not an error of the page. */
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

/**
 * Formats values as the console does. The first may be a format string (https://console.spec.whatwg.org/#formatter).
 */
function formatted(args: readonly Protocol.Runtime.RemoteObject[]): string {
  const [first, ...rest] = args;
  if (first?.type !== "string" || rest.length === 0) return args.map(textOf).join(" ");
  const text = String(first.value).replace(/%([sdifoOc%])/g, (whole, kind: string) => {
    if (kind === "%") return "%";
    const value = rest.shift();
    if (value === undefined) return whole;
    // Styles: colours and fonts.
    if (kind === "c") return "";
    if (kind === "d" || kind === "i") return String(Number.parseInt(numeralOf(value), 10));
    return kind === "f" ? String(Number.parseFloat(numeralOf(value))) : textOf(value);
  });
  return [text, ...rest.map(textOf)].join(" ");
}

/** The text that is read as a number. A symbol is none. */
const numeralOf = ({
  type,
  value,
  unserializableValue,
  description,
}: Protocol.Runtime.RemoteObject): string =>
  type === "symbol" ? "" : String(value ?? unserializableValue ?? description);

/** A logged value as the console shows it. */
function textOf(value: Protocol.Runtime.RemoteObject): string {
  if (value.type === "string") return String(value.value);
  if (value.unserializableValue !== undefined) return value.unserializableValue;
  if (value.type === "undefined") return "undefined";
  if (value.subtype === "node" && !value.description?.startsWith("#")) return `<${value.description}>`;
  if (value.preview && value.subtype !== "error") return previewOf(value.preview);
  return value.description ?? JSON.stringify(value.value ?? null);
}

/** A key or value of a map or set. */
const entryText = (preview: Protocol.Runtime.ObjectPreview): string => {
  const { type, description = type } = preview;
  if (type === "string") return JSON.stringify(description);
  return type === "object" ? previewOf(preview) : description;
};

function previewOf(preview: Protocol.Runtime.ObjectPreview): string {
  const { description, properties, entries, overflow } = preview;
  const isArray = preview.subtype === "array";
  const ofEntries = entries?.map(({ key, value }) =>
    key ? `${entryText(key)} => ${entryText(value)}` : entryText(value),
  );
  const ofProperties = properties.map(({ name, value, type, subtype, valuePreview }) => {
    // Only a table has value previews.
    if (valuePreview) return `${isArray ? "" : `${name}: `}${previewOf(valuePreview)}`;
    const text = subtype === "node" ? `<${value}>` : (value ?? type);
    const shown = type === "string" ? JSON.stringify(value) : text;
    return isArray ? shown : `${name}: ${shown}`;
  });
  const parts = ofEntries ?? ofProperties;
  if (overflow) parts.push("…");
  if (isArray) return `[${parts.join(", ")}]`;
  const name = description === undefined || description === "Object" ? "" : `${description} `;
  return parts.length === 0 && name !== "" ? name.trim() : `${name}{${parts.join(", ")}}`;
}
