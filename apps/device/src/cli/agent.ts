import {
  anchorLabelWithSide,
  change,
  commentAnswer,
  commentAnswerState,
  finishedWork,
  type OpenReviewComment,
  openReviewComment,
  reviewComment,
} from "@grove/schemas";
import { Argument, type Command } from "commander";
import * as z from "zod";
import { askDevice } from "./askDevice";
import { example, print, answer as respond } from "./usage";

/** `grove-device agent …`: what an agent does about its own work, in the terminal of its session. */
export function addAgentCommands(program: Command): void {
  const agent = program
    .command("agent")
    .description("For coding agents that Grove has started: read and answer the review of their work.");

  agent
    .command("comments")
    .description("List the open review comments on this session's workspace.")
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device agent comments"))
    .action((options, command) => list(command, options));

  agent
    .command("answer")
    .argument("<comment>", "its id")
    .addArgument(new Argument("<state>", "your claim").choices(commentAnswerState.options))
    .description("Answer a review comment by its id. A person resolves it.")
    .option("--commit <sha>", "the commit that fixes it, in the workspace's history")
    .option("--body <text>", "at most 2 000 characters; required unless fixed")
    .addHelpText(
      "after",
      example(
        "grove-device agent answer 0199c7f3-… fixed --commit 1b2c3d4",
        'grove-device agent answer 0199c7f3-… question --body "Which account?"',
      ),
    )
    .action((id, state, options, command) => answer(command, { id, state, ...options }));

  agent
    .command("finish")
    .description("Report your work in this session's workspace as done, when it is committed and tested.")
    .requiredOption("--summary <text>", "for the reviewer, at most 4 000 characters")
    .option("--test <text...>", "a test that you have run, with its result; may be repeated")
    .addHelpText(
      "after",
      example(
        'grove-device agent finish --summary "Locked accounts are refused." --test "npm test: 34 passed"',
      ),
    )
    .action(({ summary, test }, command) => finish(command, { summary, tests: test }));
}

async function list(command: Command, { json }: { json?: boolean }): Promise<void> {
  const open = await askDevice(command, { command: "comments" }, z.array(openReviewComment));
  const comments = open.map(toRow);
  respond(comments, comments.map(inWords).join("\n\n") || "No open review comments.", json);
}

const toRow = ({ id, anchor, author, body, claim }: OpenReviewComment) => ({
  id,
  at: anchorLabelWithSide(anchor),
  author: author ?? "A former member",
  body,
  answer: claim && { state: claim.state, commit: claim.commit, body: claim.body },
});

const inWords = ({ id, at, author, body, answer: given }: ReturnType<typeof toRow>): string =>
  [
    `[${id}] ${at}`,
    `${author}: ${body}`,
    ...(given ? [`Your answer: ${[given.state, given.commit, given.body].filter(Boolean).join(" ")}`] : []),
  ].join("\n");

async function answer(command: Command, fields: unknown): Promise<void> {
  const request = { command: "answer" as const, answer: checked(command, commentAnswer, fields) };
  const { id, claim } = await askDevice(command, request, reviewComment);
  print(`Answered ${id}: ${[claim?.state, claim?.commit].filter(Boolean).join(" ")}.`);
}

async function finish(command: Command, fields: unknown): Promise<void> {
  const request = { command: "finish" as const, work: checked(command, finishedWork, fields) };
  const { branch } = await askDevice(command, request, change);
  print(`The work on ${branch} is reported as done.`);
}

/** The input of a command, which ends as wrong usage if a value is invalid. */
function checked<T>(command: Command, schema: z.ZodType<T>, fields: unknown): T {
  const { data, error } = schema.safeParse(fields);
  if (error)
    command.error(error.issues.map(({ path, message }) => `error: ${path.join(".")}: ${message}`).join("\n"));
  return data as T;
}
