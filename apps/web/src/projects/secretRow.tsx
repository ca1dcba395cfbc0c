import type { ProjectSecret } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Button, IconButton } from "../ui/button";
import { CopyBlock } from "../ui/copyButton";
import { Problem } from "../ui/problem";
import { Cell, Row } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";

const REVEALED_S = 30;

interface SecretRowProps {
  secret: ProjectSecret;
  projectId: string;
  mayChange: boolean;
  onSet: () => void;
  onDelete: () => void;
}

/** A secret. Its value is fetched on request, shown for half a minute, and never cached. */
export function SecretRow({ secret, projectId, mayChange, onSet, onDelete }: SecretRowProps) {
  const { id: organizationId } = useOrganization();
  const { key, createdAt, updatedAt } = secret;
  const { data, error, isPending, mutate, reset } = useMutation(
    queries.project.revealSecret.mutationOptions({ gcTime: 0 }),
  );
  return (
    <>
      <Row>
        <Cell wrap>
          <VisibleName className="wrap-anywhere font-medium font-mono text-sm">{key}</VisibleName>
        </Cell>
        <Cell quiet>
          <Time at={createdAt} />
        </Cell>
        <Cell quiet>
          <Time at={updatedAt} />
        </Cell>
        {mayChange && (
          <Cell actions>
            <Button
              look="quiet"
              busy={isPending}
              aria-expanded={data !== undefined}
              onClick={() => (data ? reset() : mutate({ organizationId, projectId, key }))}
            >
              {data ? "Hide" : "Reveal"}
              <span className="sr-only"> {key}</span>
            </Button>
            <IconButton label={`Change ${key}`} onClick={onSet}>
              <Pencil aria-hidden="true" className="size-4" />
            </IconButton>
            <IconButton label={`Delete ${key}`} onClick={onDelete}>
              <Trash2 aria-hidden="true" className="size-4" />
            </IconButton>
          </Cell>
        )}
      </Row>
      {(data || error) && (
        <tr className="border-line border-b">
          <td colSpan={4} className="py-2">
            {/* The row is as wide as the window, even if the table is wider. */}
            <div className="sticky left-0 max-w-[min(36rem,calc(100vw-3rem))]">
              {data && <Value text={data.value} name={key} onEnd={reset} />}
              {error && <Problem title="Could not reveal the value." error={error} />}
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

/** The revealed value, until its time is over. */
function Value({ text, name, onEnd }: { text: string; name: string; onEnd: () => void }) {
  const [secondsLeft, setSecondsLeft] = useState(REVEALED_S);
  useEffect(() => {
    const timer = setInterval(() => setSecondsLeft((seconds) => seconds - 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (secondsLeft <= 0) onEnd();
  }, [secondsLeft, onEnd]);
  return (
    <div className="flex flex-col gap-1">
      <CopyBlock text={text} label={`Copy the value of ${name}`} />
      <p className="text-muted text-sm">
        Hidden again in {secondsLeft} s. This access was logged under your name.
      </p>
    </div>
  );
}
