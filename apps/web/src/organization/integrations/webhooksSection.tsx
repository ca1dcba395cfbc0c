import { type Connection, DELIVERY_DAYS, type Webhook } from "@grove/schemas";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { ShowMore } from "../../components/showMore";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { useOrganization } from "../../hooks/useOrganization";
import { client, queries } from "../../lib/api";
import { pagesQuery } from "../../lib/queries/pagesQuery";
import { DELIVERIES_POLL_MS } from "../../lib/queries/pollIntervals";
import { Button, IconButton } from "../../ui/button";
import { Confirmation } from "../../ui/formDialog";
import { Problem } from "../../ui/problem";
import { Section } from "../../ui/section";
import { StateLabel } from "../../ui/stateLabel";
import { Cell, Row, Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { eventStates, refusalLabels } from "./integrationLabels";
import { NewWebhookDialog } from "./newWebhookDialog";

/** The webhooks at code hosts that Grove has created. */
export function WebhooksSection({ codeHosts }: { codeHosts: readonly Connection[] }) {
  const { id: organizationId } = useOrganization();
  const list = useInfiniteQuery({
    ...pagesQuery({
      queryKey: [...queries.integration.codehost.listWebhooks.pathKey(), "pages", organizationId],
      list: (page) => client.integration.codehost.listWebhooks.query({ organizationId, ...page }),
    }),
    refetchInterval: DELIVERIES_POLL_MS,
  });
  const webhooks = list.data?.pages.flat();
  const [isCreating, setCreating] = useState(false);
  const [deleted, setDeleted] = useState<Webhook>();
  return (
    <Section
      title="Webhooks"
      actions={
        <Button onClick={() => setCreating(true)}>
          <Plus aria-hidden="true" className="size-4" />
          New webhook
        </Button>
      }
    >
      {list.error && (
        <Problem
          title="Could not load the webhooks."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {webhooks?.length === 0 && (
        <p className="text-muted">
          Without a webhook, Grove does not learn that a pull request was merged. Create one for each
          repository.
        </p>
      )}
      {webhooks && webhooks.length > 0 && (
        <Table
          label="Webhooks"
          columns={["Repository", "Events", "Last delivery", "Refused deliveries", "Created", "Actions"]}
        >
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onDelete={() => setDeleted(webhook)} />
          ))}
        </Table>
      )}
      <ShowMore list={list} />
      {isCreating && <NewWebhookDialog codeHosts={codeHosts} onClose={() => setCreating(false)} />}
      {deleted && <DeleteWebhookDialog webhook={deleted} onClose={() => setDeleted(undefined)} />}
    </Section>
  );
}

interface WebhookRowProps {
  webhook: Webhook;
  onDelete: () => void;
}

const WebhookRow = ({
  webhook: { repoOwner, repoName, events, lastDelivery, refused, url, createdAt },
  onDelete,
}: WebhookRowProps) => (
  <Row>
    <Cell wrap>
      <VisibleName className="font-medium">{`${repoOwner}/${repoName}`}</VisibleName>
      {url === null && (
        <span className="block text-sm text-warn">
          This server no longer has a public address, so it receives no deliveries.
        </span>
      )}
    </Cell>
    <Cell wrap>{events.includes("*") ? "All" : events.join(", ")}</Cell>
    <Cell>
      {lastDelivery ? (
        <StateLabel state={eventStates[lastDelivery.status]}>
          <span className="text-muted">
            <Time at={lastDelivery.receivedAt} />
          </span>
        </StateLabel>
      ) : (
        <span className="text-muted">None in {DELIVERY_DAYS} days</span>
      )}
    </Cell>
    <Cell wrap>
      {refused ? (
        <span className="text-danger">
          {refused.count}, last <Time at={refused.lastAt} />: {refusalLabels[refused.lastReason]}
        </span>
      ) : (
        <span className="text-muted">None</span>
      )}
    </Cell>
    <Cell quiet>
      <Time at={createdAt} />
    </Cell>
    <Cell actions>
      <IconButton label={`Delete the webhook of ${repoOwner}/${repoName}`} onClick={onDelete}>
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
    </Cell>
  </Row>
);

function DeleteWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const remove = useMutationWithRefetch(queries.integration.codehost.deleteWebhook.mutationOptions(), {
    refetch: [queries.integration.codehost.listWebhooks.pathFilter()],
    onDone: onClose,
  });
  return (
    <Confirmation
      title={`Delete the webhook of ${webhook.repoOwner}/${webhook.repoName}?`}
      action="Delete"
      change={remove}
      failed="Could not delete the webhook."
      onSubmit={() => remove.mutate({ organizationId, id: webhook.id })}
      onClose={onClose}
    >
      <p>Merging a pull request in this repository will no longer complete its task.</p>
    </Confirmation>
  );
}
