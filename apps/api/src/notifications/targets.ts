import { createHmac } from "node:crypto";
import { ProviderError } from "@grove/integrations";
import * as z from "zod";
import { tryProvider } from "../integrations/call";
import { findConnection } from "../integrations/connections";
import { notificationRuleIdentity } from "../secrets/identities";
import type { Services } from "../services";
import type { Message } from "./message";
import type { Leased } from "./notificationLease";
import { type Outcome, outcomeOfStatus, post } from "./post";

const ntfyTarget = z.object({ url: z.string() });
const webhookTarget = z.object({ url: z.string(), secret: z.string() });
const messengerTarget = z.object({ connectionId: z.string(), channel: z.string() });

/** Sends a notification to the target of its rule. */
export async function sendToTarget(services: Services, row: Leased, message: Message): Promise<Outcome> {
  const identity = notificationRuleIdentity({ organization_id: row.organization_id, id: row.rule_id });
  const target: unknown = JSON.parse(services.vault.open(row.sealed ?? "", identity));
  if (row.channel === "ntfy") return sendToNtfy(services, ntfyTarget.parse(target), message);
  if (row.channel === "webhook") return sendToWebhook(services, webhookTarget.parse(target), message);
  return sendToMessenger(services, row.organization_id, messengerTarget.parse(target), message);
}

/** Posts JSON to the address above the topic, as ntfy requires. ntfy's headers would limit titles to ASCII. */
async function sendToNtfy(
  services: Services,
  { url }: z.infer<typeof ntfyTarget>,
  { title, text, url: click }: Message,
): Promise<Outcome> {
  const address = new URL(url);
  const [topic = "", ...above] = address.pathname.split("/").filter(Boolean).reverse();
  address.pathname = above.reverse().join("/");
  const body = JSON.stringify({ topic: decodeURIComponent(topic), title, message: text ?? title, click });
  const headers = { "content-type": "application/json" };
  return outcomeOfStatus(await post(services, { url: address.href, headers, body }));
}

async function sendToWebhook(
  services: Services,
  { url, secret }: z.infer<typeof webhookTarget>,
  message: Message,
): Promise<Outcome> {
  const body = JSON.stringify(message);
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const headers = { "content-type": "application/json", "x-grove-signature": `sha256=${signature}` };
  const outcome = outcomeOfStatus(await post(services, { url, headers, body }));
  // The receiver recognizes a repeated notification by its id.
  return outcome.state === "unknown" ? { ...outcome, state: "retry" } : outcome;
}

async function sendToMessenger(
  services: Services,
  organizationId: string,
  { connectionId, channel }: z.infer<typeof messengerTarget>,
  { title, text, url }: Message,
): Promise<Outcome> {
  const lines = [title, ...(text === undefined ? [] : [text]), url].join("\n");
  try {
    const connection = await findConnection(services.database.db, "messenger", {
      organizationId,
      connectionId,
    });
    await tryProvider(services, "messenger", connection, (messenger) =>
      messenger.sendMessage(channel, lines),
    );
    return { state: "sent" };
  } catch (error) {
    if (!(error instanceof ProviderError)) return { state: "failed", error: "connection_gone" };
    if (error.failure === "rate_limited") return { state: "retry", error: error.message };
    return { state: error.failure === "unavailable" ? "unknown" : "failed", error: error.message };
  }
}
