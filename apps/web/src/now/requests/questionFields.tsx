import { type AgentQuestion, visibleText } from "@grove/schemas";
import { useId } from "react";
import { VisibleName } from "../../ui/visibleName";
import { chooseOption, emptyDraft, type QuestionDraft, writeOwn } from "./answersOf";

interface QuestionFieldsProps {
  questions: readonly AgentQuestion[];
  drafts: readonly QuestionDraft[];
  onChange: (drafts: QuestionDraft[]) => void;
  isOff: boolean;
}

/** The agent's questions, each with its options and a field for an answer of one's own. */
export const QuestionFields = ({ questions, drafts, onChange, isOff }: QuestionFieldsProps) =>
  questions.map((question, index) => (
    <QuestionField
      // biome-ignore lint/suspicious/noArrayIndexKey: the questions of a request never change.
      key={index}
      question={question}
      draft={drafts[index] ?? emptyDraft}
      onChange={(draft) =>
        onChange(questions.map((_, at) => (at === index ? draft : (drafts[at] ?? emptyDraft))))
      }
      isOff={isOff}
    />
  ));

interface QuestionFieldProps {
  question: AgentQuestion;
  draft: QuestionDraft;
  onChange: (draft: QuestionDraft) => void;
  isOff: boolean;
}

function QuestionField({ question, draft, onChange, isOff }: QuestionFieldProps) {
  const name = useId();
  const { header, multiSelect, options } = question;
  return (
    <fieldset className="flex flex-col gap-2" disabled={isOff}>
      <legend className="wrap-anywhere mb-1.5 whitespace-pre-wrap font-medium" dir="auto">
        {visibleText(question.question)}
        {header !== "" && <VisibleName className="ml-2 font-normal text-muted text-sm">{header}</VisibleName>}
      </legend>
      {options.map(({ label, description }) => (
        <label key={label} className="flex cursor-pointer gap-2.5">
          <input
            type={multiSelect ? "checkbox" : "radio"}
            name={name}
            checked={draft.chosen.includes(label)}
            onChange={() => onChange(chooseOption(draft, label, multiSelect))}
            className="mt-0.5 size-4 shrink-0"
          />
          <span className="wrap-anywhere min-w-0 text-sm">
            <VisibleName className="block">{label}</VisibleName>
            {description !== "" && <VisibleName className="block text-muted">{description}</VisibleName>}
          </span>
        </label>
      ))}
      <input
        aria-label={`Your own answer: ${visibleText(question.question)}`}
        placeholder="Your own answer"
        autoComplete="off"
        maxLength={9_999}
        value={draft.own}
        onChange={({ target }) => onChange(writeOwn(draft, target.value, multiSelect))}
        className="h-8 min-w-0 rounded-md border border-edge bg-surface px-2.5 text-sm outline-offset-0"
      />
    </fieldset>
  );
}
