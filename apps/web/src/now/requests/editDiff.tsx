import { visibleText } from "@grove/schemas";
import { useState } from "react";
import { Button } from "../../ui/button";
import { VisibleName } from "../../ui/visibleName";
import type { DiffLine, Edit } from "./parseEdit";

/** A longer diff is folded. */
const FOLDED = 24;
const signLooks: Readonly<Record<DiffLine["sign"], string>> = {
  " ": "text-muted",
  "-": "bg-danger-soft",
  "+": "bg-accent-soft",
};

/** A change of a file for which an agent requests permission. Hidden characters are marked. */
export function EditDiff({ edit: { path, lines } }: { edit: Edit }) {
  const [isFolded, setFolded] = useState(lines.length > FOLDED);
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="wrap-anywhere font-mono text-sm">
        <VisibleName>{path}</VisibleName>
      </figcaption>
      <pre className="overflow-hidden rounded-md bg-ground py-2 font-mono text-sm">
        {(isFolded ? lines.slice(0, FOLDED) : lines).map(({ sign, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a request never change.
          <span key={index} className={`wrap-anywhere block whitespace-pre-wrap px-3 ${signLooks[sign]}`}>
            {sign} <bdi>{visibleText(text)}</bdi>
            {"\n"}
          </span>
        ))}
      </pre>
      {isFolded && (
        <div>
          <Button onClick={() => setFolded(false)}>Show all {lines.length} lines</Button>
        </div>
      )}
    </figure>
  );
}
