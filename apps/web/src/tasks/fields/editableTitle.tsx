import { Pencil } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../ui/button";
import { Form } from "../../ui/form";
import { onKeys } from "../../ui/inputMethod";
import { VisibleName } from "../../ui/visibleName";

interface TitleProps {
  title: string;
  onChange: (title: string) => void;
}

/** Edits the title in place. Enter saves, Escape cancels. */
export function Title({ title, onChange }: TitleProps) {
  const [isEdited, setEdited] = useState(false);
  const pencil = useRef<HTMLSpanElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (!isEdited && wasEdited.current) pencil.current?.querySelector("button")?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  if (!isEdited)
    return (
      <div className="flex min-w-0 items-start gap-2">
        <h1 className="wrap-anywhere min-w-0 py-1 font-semibold text-lg leading-snug">
          <VisibleName>{title}</VisibleName>
        </h1>
        <span ref={pencil} className="flex">
          <IconButton label="Edit the title" onClick={() => setEdited(true)}>
            <Pencil aria-hidden="true" className="size-4" />
          </IconButton>
        </span>
      </div>
    );
  return (
    <Form
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2"
      onSubmit={(text) => {
        const next = text("title").trim();
        if (next !== "" && next !== title) onChange(next);
        setEdited(false);
      }}
      onKeyDown={onKeys(({ key }) => {
        if (key === "Escape") setEdited(false);
      })}
    >
      <h1 className="sr-only">{title}</h1>
      <input
        name="title"
        aria-label="Title"
        defaultValue={title}
        required
        maxLength={500}
        // biome-ignore lint/a11y/noAutofocus: the user just pressed "Edit".
        autoFocus
        className="h-8 min-w-0 flex-1 basis-60 rounded-md border border-edge bg-surface px-2.5 font-semibold text-lg"
      />
      <Button type="submit" look="primary">
        Save
      </Button>
      <Button look="quiet" onClick={() => setEdited(false)}>
        Cancel
      </Button>
    </Form>
  );
}
