import type { ApiKey } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { queries } from "../app/api";
import { useShortcuts } from "../app/shortcuts/shortcuts";
import { useOrganization, useUser } from "../app/useOrganization";
import { Button, IconButton } from "../ui/button";
import { Empty } from "../ui/empty";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { NewKeyDialog } from "./newKeyDialog";
import { RevokeKey } from "./revokeKey";

const columns = ["Name", "Owner", "May", "Last used", "Ends", "Actions"];

/** The API keys of this person; for admins, everyone's. */
export function KeysPage() {
  const { id: organizationId, role } = useOrganization();
  const user = useUser();
  const seesAll = role !== "member";
  const list = useQuery(queries.apiKey.list.queryOptions({ organizationId }));
  const members = useQuery({
    ...queries.organization.listMembers.queryOptions({ organizationId }),
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
  const isEmpty = list.data?.length === 0;
  return (
    <Page
      title="API keys"
      lead={list.data && !isEmpty && <p className="text-muted">{list.data.length}</p>}
      actions={!isEmpty && add}
    >
      {list.error && (
        <Problem
          title="The keys cannot be shown as they are now."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {isEmpty && (
        <Empty icon={KeyRound} title="No key yet" action={add}>
          With a key, an AI agent or a script acts as you in this organization, over MCP or the API.
        </Empty>
      )}
      {list.data && !isEmpty && (
        <Table label="API keys" columns={columns.filter((column) => seesAll || column !== "Owner")}>
          {list.data.map((key) => (
            <Row key={key.id}>
              <Cell wrap>
                <bdi className="font-medium">{key.name}</bdi>
                <span className="block text-muted text-sm">
                  <code className="font-mono">{key.prefix}…</code>, made <Time at={key.createdAt} />
                </span>
              </Cell>
              {seesAll && (
                <Cell quiet>
                  <bdi>{ownerOf(key)}</bdi>
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
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} />}
      {revoked && <RevokeKey apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  );
}

const Expiry = ({ at }: { at: string }) => (
  <span className={Date.parse(at) <= Date.now() ? "text-danger" : ""}>
    {Date.parse(at) <= Date.now() && "Ended "}
    <Time at={at} mayBeAhead />
  </span>
);
