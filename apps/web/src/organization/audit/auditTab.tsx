import type { AuditEvent } from "@grove/schemas";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { ShowMore } from "../../components/showMore";
import { useOrganization } from "../../hooks/useOrganization";
import { client, queries } from "../../lib/api";
import { pagesQuery } from "../../lib/queries/pagesQuery";
import { EmptyState } from "../../ui/emptyState";
import { Problem } from "../../ui/problem";
import { Select } from "../../ui/select";
import { Cell, Row, Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { AdminsOnly } from "../adminsOnly";
import { actionOptions, actionTitle } from "./actions";
import { useActorNames } from "./useActorNames";

const route = getRouteApi("/signed-in/o/$organization/settings");

/** The organization's changes and who made them, newest first. */
export const AuditTab = () => (
  <AdminsOnly>
    <AuditLog />
  </AdminsOnly>
);

function AuditLog() {
  const { id: organizationId } = useOrganization();
  const { action } = route.useSearch();
  const navigate = route.useNavigate();
  const actorName = useActorNames(organizationId);
  const list = useInfiniteQuery(
    pagesQuery({
      queryKey: [...queries.organization.listAuditEvents.pathKey(), "pages", organizationId, action],
      list: (page) =>
        client.organization.listAuditEvents.query({
          organizationId,
          ...page,
          ...(action !== undefined && { action }),
        }),
      hasLargeItems: true,
    }),
  );
  const events = list.data?.pages.flat();
  return (
    <>
      <div className="max-w-72 pt-6 pb-4">
        <Select
          label="Action"
          value={action ?? ""}
          options={actionOptions(action)}
          onChange={(value) =>
            void navigate({
              search: { tab: "audit", ...(value !== "" && { action: value }) },
              replace: true,
            })
          }
        />
      </div>
      {list.error && (
        <Problem
          title="Could not load the audit log."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {events?.length === 0 && (
        <EmptyState icon={ScrollText} title={action === undefined ? "No changes yet" : "No such change"}>
          Each change to the organization, its members, keys, devices and integrations is recorded here.
        </EmptyState>
      )}
      {events && events.length > 0 && (
        <Table label="Audit log" columns={["Action", "By", "Concerns", "When"]}>
          {events.map((event) => (
            <AuditRow key={event.id} event={event} actor={actorName(event)} />
          ))}
        </Table>
      )}
      <ShowMore list={list} />
    </>
  );
}

interface AuditRowProps {
  event: AuditEvent;
  actor: string;
}

const AuditRow = ({ event: { action, metadata, targetType, targetId, createdAt }, actor }: AuditRowProps) => (
  <Row>
    <Cell wrap>
      {actionTitle(action)}
      <Details metadata={metadata} />
    </Cell>
    <Cell wrap>
      <VisibleName>{actor}</VisibleName>
    </Cell>
    <Cell quiet>
      {targetType.replaceAll("_", " ")} <code className="font-mono text-xs">{targetId.slice(-8)}</code>
    </Cell>
    <Cell quiet>
      <Time at={createdAt} />
    </Cell>
  </Row>
);

/** The recorded details as `name: value` pairs. */
function Details({ metadata }: Pick<AuditEvent, "metadata">) {
  const texts = Object.entries(metadata).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  if (texts.length === 0) return null;
  return <VisibleName className="wrap-anywhere block text-muted text-sm">{texts.join(", ")}</VisibleName>;
}
