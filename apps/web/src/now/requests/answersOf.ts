import type { AgentQuestion } from "@grove/schemas";

/** The answer to one question, before it is sent. */
export interface QuestionDraft {
  /** The labels of the chosen options. */
  chosen: readonly string[];
  /** A text of the user's own. */
  own: string;
}

export const emptyDraft: QuestionDraft = { chosen: [], own: "" };

/** Chooses an option, or takes the choice back. Where only one answer counts, it replaces every other. */
export function chooseOption(draft: QuestionDraft, label: string, isMultiple: boolean): QuestionDraft {
  if (!isMultiple) return { chosen: [label], own: "" };
  const { chosen, own } = draft;
  return { own, chosen: chosen.includes(label) ? chosen.filter((one) => one !== label) : [...chosen, label] };
}

/** Sets the text of the user's own. Where only one answer counts, it replaces the chosen option. */
export const writeOwn = (draft: QuestionDraft, own: string, isMultiple: boolean): QuestionDraft => ({
  own,
  chosen: isMultiple || own === "" ? draft.chosen : [],
});

/** Returns the answers as the API takes them; undefined until each question has one. */
export function answersOf(
  questions: readonly AgentQuestion[],
  drafts: readonly QuestionDraft[],
): string[][] | undefined {
  const answers = questions.map((_, index) => {
    const { chosen, own } = drafts[index] ?? emptyDraft;
    return own.trim() === "" ? [...chosen] : [...chosen, own];
  });
  return answers.every((labels) => labels.length > 0) ? answers : undefined;
}
