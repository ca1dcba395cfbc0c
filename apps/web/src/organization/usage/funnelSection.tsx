import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useDebounced } from "../../hooks/useDebounced";
import { queries } from "../../lib/api";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { Section } from "../../ui/section";
import { Cell, Row, Table } from "../../ui/table";
import { VisibleName } from "../../ui/visibleName";
import { EventField } from "./eventField";
import type { ReportInput } from "./range";
import { ShareBar } from "./shareBar";

const MAX_STEPS = 10;

/** How many users did the first event, how many of them the second, and so on. */
export function FunnelSection({ input }: { input: ReportInput }) {
  const [steps, setSteps] = useState(["", ""]);
  const events = useDebounced(steps).filter((event) => event !== "");
  const funnel = useQuery({
    ...queries.analytics.funnel.queryOptions(
      { ...input, events },
      { enabled: events.length > 1, placeholderData: keepPreviousData },
    ),
  });
  return (
    <Section
      title="Funnel"
      actions={
        steps.length < MAX_STEPS && (
          <Button onClick={() => setSteps([...steps, ""])}>
            <Plus aria-hidden="true" className="size-4" />
            Add a step
          </Button>
        )
      }
    >
      <div className="grid gap-3 pb-3 sm:grid-cols-3">
        {steps.map((step, index) => (
          <EventField
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
            key={index}
            label={`Step ${index + 1}`}
            value={step}
            input={input}
            onChange={(event) => setSteps(steps.with(index, event))}
          />
        ))}
      </div>
      {funnel.error && <Problem title="Could not load the funnel." error={funnel.error} />}
      {events.length < 2 && <p className="text-muted">Choose the events of at least two steps.</p>}
      {events.length > 1 && funnel.data && (
        <Table label="Funnel" columns={["Step", "Users", "Of the first step", "Share"]}>
          {funnel.data.map(({ event, users, conversion }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an event may be named twice
            <Row key={index}>
              <Cell wrap>
                <VisibleName className="font-mono text-sm">{event}</VisibleName>
              </Cell>
              <Cell>{users}</Cell>
              <Cell>{`${Math.round(conversion * 100)} %`}</Cell>
              <Cell>
                <ShareBar share={conversion} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
}
