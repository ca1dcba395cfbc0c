import type { AgentAnswer } from "@grove/schemas";
import type { PermissionHookInput } from "./event";

type Decision =
  | { behavior: "allow"; updatedInput?: object; updatedPermissions?: object[] }
  | { behavior: "deny"; message?: string };

/**
 * The text that a hook prints to answer a permission request (https://code.claude.com/docs/en/hooks#permissionrequest).
 * @param questions the texts of the questions, in the order of the answers
 */
export function claudeAnswer(
  answer: AgentAnswer,
  asked: PermissionHookInput,
  questions: readonly string[],
): string {
  const decision = (): Decision => {
    switch (answer.decision) {
      case "deny":
        return { behavior: "deny", ...(answer.message !== undefined && { message: answer.message }) };
      case "answer":
        return {
          behavior: "allow",
          updatedInput: { ...asked.tool_input, answers: byQuestion(questions, answer.answers) },
        };
      case "allow":
        return answer.scope === "once"
          ? { behavior: "allow" }
          : { behavior: "allow", updatedPermissions: sessionRules(asked).map(forSession) };
    }
  };
  const hookSpecificOutput = { hookEventName: "PermissionRequest", decision: decision() };
  return JSON.stringify({ hookSpecificOutput });
}

/** The rules that the agent's own prompt offers to add. It also offers other modes, with fewer prompts. */
export const sessionRules = ({ permission_suggestions = [] }: PermissionHookInput) =>
  permission_suggestions.filter(({ type }) => type === "addRules" || type === "addDirectories");

/** The agent offers to save its rules in a file of the user or the project. Grove saves none. */
const forSession = (rule: object) => ({ ...rule, destination: "session" });

/** Several chosen labels are joined by commas, as Claude Code does it. */
const byQuestion = (questions: readonly string[], answers: readonly (readonly string[])[]) =>
  Object.fromEntries(questions.map((question, at) => [question, (answers[at] ?? []).join(", ")]));
