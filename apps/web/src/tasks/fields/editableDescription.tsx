import { Pencil } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { lazily } from "../../lib/browser/lazily";
import { Button } from "../../ui/button";
import { Form } from "../../ui/form";
import { onKeys } from "../../ui/inputMethod";

const Markdown = lazily(async () => (await import("../../markdown/markdown")).Markdown);

interface DescriptionProps {
  text: string | null;
  onChange: (text: string | null) => void;
  /** Called with the source in which the user has ticked or unticked an item. */
  onTick: (text: string) => void;
}

/** Renders the description as Markdown, and edits its source. */
export function Description({ text, onChange, onTick }: DescriptionProps) {
  // The source when editing began; undefined while not editing.
  const [initial, setInitial] = useState<string>();
  const region = useRef<HTMLElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (initial === undefined && wasEdited.current) region.current?.querySelector("button")?.focus();
    wasEdited.current = initial !== undefined;
  }, [initial]);
  return (
    <section ref={region} aria-labelledby="description" className="flex flex-col gap-2">
      <div className="flex min-h-8 items-center gap-2">
        <h2 id="description" className="font-medium text-muted text-sm">
          Description
        </h2>
        {initial === undefined && (
          <Button look="quiet" onClick={() => setInitial(text ?? "")}>
            <Pencil aria-hidden="true" className="size-3.5" />
            {text ? "Edit" : "Add"}
          </Button>
        )}
      </div>
      {initial !== undefined ? (
        <Editor
          initial={initial}
          hasChanged={(text ?? "") !== initial}
          onSave={(next) => {
            if (next !== (text ?? "")) onChange(next === "" ? null : next);
            setInitial(undefined);
          }}
          onCancel={() => setInitial(undefined)}
        />
      ) : text ? (
        <Suspense fallback={<p className="wrap-anywhere whitespace-pre-wrap">{text}</p>}>
          <Markdown text={text} onTick={onTick} />
        </Suspense>
      ) : (
        <p className="text-muted">No description yet.</p>
      )}
    </section>
  );
}

interface EditorProps {
  initial: string;
  /** Whether someone else changed the description during editing. */
  hasChanged: boolean;
  onSave: (text: string) => void;
  onCancel: () => void;
}

function Editor({ initial, hasChanged, onSave, onCancel }: EditorProps) {
  return (
    <Form className="flex flex-col gap-2" onSubmit={(text) => onSave(text("description").trim())}>
      <textarea
        name="description"
        aria-label="Description"
        defaultValue={initial}
        maxLength={50_000}
        rows={Math.min(24, Math.max(8, initial.split("\n").length + 2))}
        // biome-ignore lint/a11y/noAutofocus: the user just pressed "Edit".
        autoFocus
        className="w-full resize-y rounded-md border border-edge bg-surface px-3 py-2 font-mono text-sm leading-relaxed"
        onKeyDown={onKeys((event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
            event.currentTarget.form?.requestSubmit();
        })}
      />
      {hasChanged && (
        <p role="alert" className="text-sm text-warn">
          Someone else changed the description while you were editing. Saving overwrites their text.
        </p>
      )}
      <div className="flex items-center gap-2">
        <Button type="submit" look="primary">
          Save
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <span className="ml-auto text-muted text-xs">Markdown · Ctrl+Enter to save</span>
      </div>
    </Form>
  );
}
