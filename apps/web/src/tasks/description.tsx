import { Pencil } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { lazily } from "../lib/lazily";
import { Button } from "../ui/button";
import { onKeys } from "../ui/inputMethod";

const Markdown = lazily(async () => (await import("../markdown/markdown")).Markdown);

interface DescriptionProps {
  text: string | null;
  onChange: (text: string | null) => void;
}

/** The task's description: shown as Markdown, edited as its source. */
export function Description({ text, onChange }: DescriptionProps) {
  // The source from which the editing began.
  const [begun, setBegun] = useState<string>();
  const region = useRef<HTMLElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (begun === undefined && wasEdited.current) region.current?.querySelector("button")?.focus();
    wasEdited.current = begun !== undefined;
  }, [begun]);
  return (
    <section ref={region} aria-labelledby="description" className="flex flex-col gap-2">
      <div className="flex min-h-8 items-center gap-2">
        <h2 id="description" className="font-medium text-muted text-sm">
          Description
        </h2>
        {begun === undefined && (
          <Button look="quiet" onClick={() => setBegun(text ?? "")}>
            <Pencil aria-hidden="true" className="size-3.5" />
            {text ? "Edit" : "Write one"}
          </Button>
        )}
      </div>
      {begun !== undefined ? (
        <Editor
          begun={begun}
          hasChanged={(text ?? "") !== begun}
          onSave={(next) => {
            if (next !== (text ?? "")) onChange(next === "" ? null : next);
            setBegun(undefined);
          }}
          onCancel={() => setBegun(undefined)}
        />
      ) : text ? (
        <Suspense fallback={<p className="wrap-anywhere whitespace-pre-wrap">{text}</p>}>
          <Markdown text={text} />
        </Suspense>
      ) : (
        <p className="text-muted">Nobody has said yet what is to be done.</p>
      )}
    </section>
  );
}

interface EditorProps {
  begun: string;
  /** Somebody else has changed the description meanwhile. */
  hasChanged: boolean;
  onSave: (text: string) => void;
  onCancel: () => void;
}

function Editor({ begun, hasChanged, onSave, onCancel }: EditorProps) {
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(`${new FormData(event.currentTarget).get("description")}`.trim());
      }}
    >
      <textarea
        name="description"
        aria-label="Description"
        defaultValue={begun}
        maxLength={50_000}
        rows={Math.min(24, Math.max(8, begun.split("\n").length + 2))}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit it.
        autoFocus
        className="w-full resize-y rounded-md border border-edge bg-surface px-3 py-2 font-mono text-sm leading-relaxed"
        onKeyDown={onKeys((event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        })}
      />
      {hasChanged && (
        <p role="alert" className="text-sm text-warn">
          Somebody has changed the description since you began. Saving replaces their text.
        </p>
      )}
      <div className="flex items-center gap-2">
        <Button type="submit" look="primary">
          Save
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <span className="ml-auto text-muted text-xs">Markdown · Ctrl+Enter saves</span>
      </div>
    </form>
  );
}
