import type { AuditEvent } from "@grove/schemas";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { ShowMore } from "../../components/showMore";
import { useOrganization } from "../../hooks/useOrganization";
import { client, queries } from "../../lib/api";
import { isId } from "../../lib/isId";
import { pagesQuery } from "../../lib/queries/pagesQuery";
import { EmptyState } from "../../ui/emptyState";
import { Problem } from "../../ui/problem";
import { SearchSelect } from "../../ui/searchSelect";
import { Select } from "../../ui/select";
import { Cell, Row, Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { AdminsOnly } from "../adminsOnly";
import { actionOptions, actionTitle } from "./actions";
import { useActors } from "./useActors";

const route = getRouteApi("/signed-in/o/$organization/settings");

/** The organization's changes and who made them, newest first. */
export const AuditTab = () => (
  <AdminsOnly>
    <AuditLog />
  </AdminsOnly>
);

function AuditLog() {
  const { id: organizationId } = useOrganization();
  const search = route.useSearch();
  const { action } = search;
  const actorId = search.actor !== undefined && isId(search.actor) ? search.actor : undefined;
  const navigate = route.useNavigate();
  const actors = useActors(organizationId);
  /** The filter is kept in the URL. "" is any value. */
  const filter = (change: { action?: string; actor?: string }) => {
    const texts = Object.entries({ action, actor: actorId, ...change }).filter(([, text]) => text);
    void navigate({ search: { tab: "audit", ...Object.fromEntries(texts) }, replace: true });
  };
  const list = useInfiniteQuery(
    pagesQuery({
      queryKey: [...queries.organization.listAuditEvents.pathKey(), "pages", organizationId, action, actorId],
      list: (page) =>
        client.organization.listAuditEvents.query({
          organizationId,
          ...page,
          ...(action !== undefined && { action }),
          ...(actorId !== undefined && { actorId }),
        }),
      hasLargeItems: true,
    }),
  );
  const events = list.data?.pages.flat();
  return (
    <>
      <div className="grid max-w-xl gap-4 pt-6 pb-4 sm:grid-cols-2">
        <Select
          label="Action"
          value={action ?? ""}
          options={actionOptions(action)}
          onChange={(value) => filter({ action: value })}
        />
        <SearchSelect
          label="By"
          value={actorId ?? ""}
          options={[
            { value: "", title: "Anyone" },
            ...actors.options,
            ...(actorId === undefined || actors.options.some(({ value }) => value === actorId)
              ? []
              : [{ value: actorId, title: "Unknown" }]),
          ]}
          onChange={(value) => filter({ actor: value })}
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
        <EmptyState icon={ScrollText} title={(action ?? actorId) ? "No such change" : "No changes yet"}>
          Each change to the organization, its members, keys, devices and integrations is recorded here.
        </EmptyState>
      )}
      {events && events.length > 0 && (
        <Table label="Audit log" columns={["Action", "By", "Concerns", "When"]}>
          {events.map((event) => (
            <AuditRow key={event.id} event={event} actor={actors.nameOf(event)} />
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
