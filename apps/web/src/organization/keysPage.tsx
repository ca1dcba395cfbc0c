import type { ApiKey } from "@grove/schemas";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { KeyRound, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { membersQuery } from "../lib/members";
import { useShortcuts } from "../shortcuts/shortcuts";
import { Button, IconButton } from "../ui/button";
import { Empty } from "../ui/empty";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { keysQuery } from "./apiKeysQuery";
import { NewKeyDialog } from "./newKeyDialog";
import { RevokeKeyDialog } from "./revokeKeyDialog";

const columns = ["Name", "Owner", "May", "Last used", "Ends", "Actions"];

/** The user's API keys; for admins, those of all members. */
export function KeysPage() {
  const { id: organizationId, role } = useOrganization();
  const user = useUser();
  const seesAll = role !== "member";
  const list = useInfiniteQuery(keysQuery(organizationId));
  const keys = list.data?.pages.flat();
  const members = useQuery({
    ...membersQuery(organizationId),
    enabled: seesAll,
  });
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const ownerOf = ({ userId }: ApiKey) =>
    userId === user.id
      ? "You"
      : (members.data?.find((member) => member.userId === userId)?.name ?? "Another member");
  const make = () => setMaking(true);
  useShortcuts({
    title: "API keys",
    scope: "page",
    shortcuts: [{ keys: "n", title: "New key", run: make }],
  });
  const add = (
    <Button look="primary" onClick={make}>
      <Plus aria-hidden="true" className="size-4" />
      New key
    </Button>
  );
  const isEmpty = keys?.length === 0;
  return (
    <Page
      title="API keys"
      lead={
        keys && !isEmpty && <p className="text-muted">{`${keys.length}${list.hasNextPage ? "+" : ""}`}</p>
      }
      actions={!isEmpty && add}
    >
      {list.error && (
        <Problem
          title="Could not load the current keys."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {isEmpty && (
        <Empty icon={KeyRound} title="No key yet" action={add}>
          With a key, an AI agent or a script can act as you in this organization, over MCP or the API.
        </Empty>
      )}
      {keys && !isEmpty && (
        <Table label="API keys" columns={columns.filter((column) => seesAll || column !== "Owner")}>
          {keys.map((key) => (
            <Row key={key.id}>
              <Cell wrap>
                <VisibleName className="font-medium">{key.name}</VisibleName>
                <span className="block text-muted text-sm">
                  <code className="font-mono">{key.prefix}…</code>, made <Time at={key.createdAt} />
                </span>
              </Cell>
              {seesAll && (
                <Cell quiet>
                  <VisibleName>{ownerOf(key)}</VisibleName>
                </Cell>
              )}
              <Cell quiet>{key.scopes.includes("write") ? "Read, write" : "Read"}</Cell>
              <Cell quiet>{key.lastUsedAt ? <Time at={key.lastUsedAt} /> : "Never"}</Cell>
              <Cell quiet>{key.expiresAt ? <Expiry at={key.expiresAt} /> : "Never"}</Cell>
              <Cell actions>
                <IconButton label={`Revoke ${key.name}`} onClick={() => setRevoked(key)}>
                  <Trash2 aria-hidden="true" className="size-4" />
                </IconButton>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {list.hasNextPage && (
        <div className="pt-3">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} />}
      {revoked && <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  );
}

const Expiry = ({ at }: { at: string }) => (
  <span className={Date.parse(at) <= Date.now() ? "text-danger" : ""}>
    {Date.parse(at) <= Date.now() && "Ended "}
    <Time at={at} allowFuture />
  </span>
);
