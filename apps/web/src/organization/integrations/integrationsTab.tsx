import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../hooks/useOrganization";
import { connectionsQuery } from "../../lib/queries/connectionsQuery";
import { whyNotAdmin } from "../permissions";
import { ConnectionsSection } from "./connectionsSection";
import { WebhookDeliveriesSection } from "./webhookDeliveriesSection";
import { WebhooksSection } from "./webhooksSection";

/** The accounts at code hosts, trackers and messengers, their webhooks, and what these have delivered. */
export function IntegrationsTab() {
  const organization = useOrganization();
  const connections = useQuery(connectionsQuery(organization.id));
  const codeHosts = connections.data?.filter(({ kind }) => kind === "codehost") ?? [];
  return (
    <div className="max-w-4xl">
      <ConnectionsSection list={connections} />
      {codeHosts.length > 0 && whyNotAdmin(organization) === undefined && (
        <WebhooksSection codeHosts={codeHosts} />
      )}
      {connections.data && connections.data.length > 0 && <WebhookDeliveriesSection />}
    </div>
  );
}
