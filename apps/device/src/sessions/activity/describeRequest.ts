import { type AgentRequestKind, type ReportedRequest, requestLimits } from "@grove/schemas";
import * as z from "zod";
import { sessionRules } from "../../hooks/claudeAnswer";
import type { PermissionHookInput } from "../../hooks/event";
import type { OpenRequest } from "./openRequests";

/** The input of Claude Code's tool AskUserQuestion. */
const askUserQuestion = z.object({
  questions: z
    .array(
      z.object({
        question: z.string().max(2_000),
        header: z.string().max(200).default(""),
        multiSelect: z.boolean().default(false),
        options: z
          .array(z.object({ label: z.string().max(500), description: z.string().max(2_000).default("") }))
          .max(requestLimits.questions),
      }),
    )
    .min(1)
    .max(requestLimits.questions),
});

/** Longer questions are answered in the terminal alone: a report has to fit into one call. */
const MAX_QUESTIONS_LENGTH = 8_000;

type Question = ReportedRequest["questions"][number];

/** Returns the questions of a request, if they can be answered outside the terminal. */
export function questionsOf({ tool_name, tool_input }: PermissionHookInput): Question[] {
  if (tool_name !== "AskUserQuestion") return [];
  const { questions = [] } = askUserQuestion.safeParse(tool_input).data ?? {};
  return JSON.stringify(questions).length > MAX_QUESTIONS_LENGTH ? [] : questions;
}

const redactQuestion = (
  { question, header, multiSelect, options }: Question,
  redact: (text: string) => string,
): Question => ({
  question: redact(question),
  header: redact(header),
  multiSelect,
  options: options.map(({ label, description }) => ({
    label: redact(label),
    description: redact(description),
  })),
});

export function kindOf({ tool_name }: PermissionHookInput): AgentRequestKind {
  if (tool_name === "AskUserQuestion") return "question";
  return tool_name === "ExitPlanMode" ? "plan" : "permission";
}

/** The most informative fields of a tool's input, in the order in which they are tried. */
const TITLE_FIELDS = ["command", "file_path", "notebook_path", "url", "query", "pattern", "path"];

/** Returns one line that names the requested tool call: "Bash: npm test". */
export function titleOf(asked: PermissionHookInput): string {
  const [question] = questionsOf(asked);
  if (question) return cut(question.question, requestLimits.titleLength);
  if (kindOf(asked) === "plan") return "Accept this plan?";
  const field = TITLE_FIELDS.find((name) => typeof asked.tool_input[name] === "string");
  const text = field === undefined ? "" : `: ${String(asked.tool_input[field])}`;
  return cut(`${asked.tool_name}${text}`, requestLimits.titleLength);
}

/** The tools that change files. The console shows their input as a diff. */
const EDITS: readonly string[] = ["Edit", "MultiEdit", "Write", "NotebookEdit"];

/** The input of the tool: the text of a command or a plan, anything else as JSON. */
function inputText({ tool_name, tool_input }: PermissionHookInput, redact: (text: string) => string): string {
  if (EDITS.includes(tool_name)) return editText(tool_input, redact);
  const only = tool_name.toLowerCase() === "bash" ? tool_input.command : tool_input.plan;
  const text = typeof only === "string" ? only : JSON.stringify(tool_input, null, 2);
  return cut(text, requestLimits.inputLength);
}

/** Characters of a text of an edit. If even these do not fit, there are too many edits for a diff. */
const MIN_EDIT_TEXT = 60;

/** An edit as JSON, with its texts shortened until it fits. They are redacted before, so that no secret is cut. */
function editText(input: unknown, redact: (text: string) => string): string {
  const redacted: unknown = JSON.parse(JSON.stringify(input), (_, value: unknown) =>
    typeof value === "string" ? redact(value) : value,
  );
  const within = (length: number) =>
    JSON.stringify(
      redacted,
      (_, value: unknown) => (typeof value === "string" ? cut(value, length) : value),
      2,
    );
  let length: number = requestLimits.inputLength;
  let text = within(length);
  while (text.length > requestLimits.inputLength && length > MIN_EDIT_TEXT) {
    length = Math.floor(length / 2);
    text = within(length);
  }
  return cut(text, requestLimits.inputLength);
}

/** The request as the API stores it. */
export const describeRequest = (
  { id, asked, askedAt, held }: OpenRequest,
  redact: (text: string) => string,
  now: number,
): ReportedRequest => ({
  id,
  kind: kindOf(asked),
  tool: cut(asked.tool_name, 200),
  title: cut(redact(titleOf(asked)), requestLimits.titleLength),
  input: cut(redact(inputText(asked, redact)), requestLimits.inputLength),
  questions: questionsOf(asked).map((question) => redactQuestion(question, redact)),
  isAnswerable: held !== undefined && (kindOf(asked) !== "question" || questionsOf(asked).length > 0),
  scopes: sessionRules(asked).length > 0 ? ["once", "session"] : ["once"],
  ageMs: ageOf(askedAt, now),
});

/** The longest age that the API takes: 24 days. A clock that was set may make an event look older. */
const MAX_AGE_MS = 2_147_483_647;

/** How long ago something happened, in milliseconds. */
export const ageOf = (at: number, now: number): number =>
  Math.min(Math.max(0, Math.round(now - at)), MAX_AGE_MS);

const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1)}…`.toWellFormed() : text;
