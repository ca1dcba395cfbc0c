import { useMutation, useQuery } from "@tanstack/react-query";
import { client, queries, queryClient } from "../../lib/api";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { Section } from "../../ui/section";
import { Cell, Row, Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { subscribeBrowser, unsubscribeBrowser, whyNoPush } from "./pushSubscription";

/** The browsers that get the user's push notifications. */
export function BrowserSection() {
  const list = useQuery(queries.user.listPushSubscriptions.queryOptions());
  const refetch = () => queryClient.invalidateQueries(queries.user.listPushSubscriptions.pathFilter());
  const subscribe = useMutation({
    mutationFn: async (publicKey: string) =>
      client.user.subscribePush.mutate(await subscribeBrowser(publicKey)),
    onSettled: refetch,
  });
  const remove = useMutation({
    mutationFn: async ({ id, current }: { id: string; current: boolean }) => {
      if (current) await unsubscribeBrowser();
      await client.user.unsubscribePush.mutate({ id });
    },
    onSettled: refetch,
  });
  const { publicKey, subscriptions = [] } = list.data ?? {};
  const isSubscribed = subscriptions.some(({ current }) => current);
  const error = subscribe.error ?? remove.error;
  return (
    <Section
      title="Browsers"
      actions={
        publicKey !== undefined &&
        !isSubscribed && (
          <Button busy={subscribe.isPending} reason={whyNoPush()} onClick={() => subscribe.mutate(publicKey)}>
            Notify this browser
          </Button>
        )
      }
    >
      {list.error && <Problem title="Could not load your browsers." error={list.error} />}
      {error && <Problem title="Could not change this browser's notifications." error={error} />}
      {subscriptions.length === 0 ? (
        <p className="text-muted">No browser gets push notifications. A rule of the kind "Push" needs one.</p>
      ) : (
        <Table label="Browsers" columns={["Browser", "Since", "Last used", "Actions"]}>
          {subscriptions.map((subscription) => (
            <Row key={subscription.id}>
              <Cell wrap>
                <VisibleName>{subscription.label}</VisibleName>
                {subscription.current && <span className="text-muted"> (this browser)</span>}
              </Cell>
              <Cell quiet>
                <Time at={subscription.createdAt} />
              </Cell>
              <Cell quiet>
                <Time at={subscription.lastUsedAt} />
              </Cell>
              <Cell actions>
                <Button look="quiet" busy={remove.isPending} onClick={() => remove.mutate(subscription)}>
                  Turn off<span className="sr-only"> {subscription.label}</span>
                </Button>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
}
