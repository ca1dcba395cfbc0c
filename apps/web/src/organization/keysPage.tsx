import type { ApiKey } from "@grove/schemas";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { KeyRound, Plus, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { ShowMore } from "../components/showMore";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { lazily } from "../lib/browser/lazily";
import { membersQuery } from "../lib/queries/membersQuery";
import { HoldKeys } from "../shortcuts/holdKeys";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { Button, IconButton } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { keysQuery } from "./apiKeysQuery";
import { NewKeyDialog } from "./newKeyDialog";

const RevokeKeyDialog = lazily(async () => (await import("./revokeKeyDialog")).RevokeKeyDialog);

const columns = ["Name", "Owner", "Access", "Last used", "Expires", "Actions"];

/** The user's API keys; for admins, the keys of all members. */
export function KeysPage() {
  const { id: organizationId, role } = useOrganization();
  const user = useUser();
  const seesAllKeys = role !== "member";
  const list = useInfiniteQuery(keysQuery(organizationId));
  const keys = list.data?.pages.flat();
  const members = useQuery({
    ...membersQuery(organizationId),
    enabled: seesAllKeys,
  });
  const [isCreating, setCreating] = useState(false);
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey>();
  const ownerOf = ({ userId }: ApiKey) =>
    userId === user.id
      ? "You"
      : (members.data?.find((member) => member.userId === userId)?.name ?? "Another member");
  const openForm = () => setCreating(true);
  useShortcuts({
    title: "API keys",
    scope: "page",
    shortcuts: [{ keys: "n", title: "New key", run: openForm }],
  });
  const newKeyButton = (
    <Button look="primary" onClick={openForm}>
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
      actions={!isEmpty && newKeyButton}
    >
      {list.error && (
        <Problem
          title="Could not load the API keys."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {isEmpty && (
        <EmptyState icon={KeyRound} title="No API keys yet" action={newKeyButton}>
          With a key, an AI agent or a script can act as you in this organization, over MCP or the API.
        </EmptyState>
      )}
      {keys && !isEmpty && (
        <Table label="API keys" columns={columns.filter((column) => seesAllKeys || column !== "Owner")}>
          {keys.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              owner={seesAllKeys ? ownerOf(key) : undefined}
              onRevoke={() => setKeyToRevoke(key)}
            />
          ))}
        </Table>
      )}
      <ShowMore list={list} />
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
      <Suspense fallback={<HoldKeys />}>
        {keyToRevoke && <RevokeKeyDialog apiKey={keyToRevoke} onClose={() => setKeyToRevoke(undefined)} />}
      </Suspense>
    </Page>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  /** Undefined if the table has only the user's own keys. */
  owner: string | undefined;
  onRevoke: () => void;
}

const KeyRow = ({ apiKey, owner, onRevoke }: KeyRowProps) => (
  <Row>
    <Cell wrap>
      <VisibleName className="font-medium">{apiKey.name}</VisibleName>
      <span className="block text-muted text-sm">
        <code className="font-mono">{apiKey.prefix}…</code>, created <Time at={apiKey.createdAt} />
      </span>
    </Cell>
    {owner !== undefined && (
      <Cell quiet>
        <VisibleName>{owner}</VisibleName>
      </Cell>
    )}
    <Cell quiet>{apiKey.scopes.includes("write") ? "Read and write" : "Read-only"}</Cell>
    <Cell quiet>{apiKey.lastUsedAt ? <Time at={apiKey.lastUsedAt} /> : "Never"}</Cell>
    <Cell quiet>{apiKey.expiresAt ? <Expiry at={apiKey.expiresAt} /> : "Never"}</Cell>
    <Cell actions>
      <IconButton label={`Revoke ${apiKey.name}`} onClick={onRevoke}>
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
    </Cell>
  </Row>
);

const Expiry = ({ at }: { at: string }) => (
  <span className={Date.parse(at) <= Date.now() ? "text-danger" : ""}>
    {Date.parse(at) <= Date.now() && "Expired "}
    <Time at={at} allowFuture />
  </span>
);
