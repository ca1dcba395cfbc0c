import * as z from "zod";
import { toolName } from "../commands/command";
import { organizationScope } from "../organizations/organization";
import { id, jsonObject, line, name, page, timestamp } from "../values";

export const platform = z.enum(["mac", "windows", "linux"]);
export type Platform = z.infer<typeof platform>;

export const deviceStatus = z.enum(["online", "offline"]);

/** Why a device cannot take commands right now. */
export const offlineReason = z.enum([
  "never_connected",
  "disconnected",
  "unresponsive",
  "revoked",
  "outdated_agent",
]);
export type OfflineReason = z.infer<typeof offlineReason>;

/** How people reach a machine by ssh: a host, or a name of their own ssh configuration, perhaps as `user@host`. */
const sshHost = z
  .string()
  .trim()
  .max(255)
  .regex(/^(\w[\w.-]*@)?\w([\w.-]*\w)?$/, "must be a host name, such as laptop.example.com or ada@laptop");

export const device = z.object({
  id,
  organizationId: id,
  ownerId: id,
  name: z.string(),
  platform,
  status: deviceStatus,
  /** Null while online. */
  offlineReason: offlineReason.nullable(),
  lastSeenAt: timestamp.nullable(),
  agentVersion: z.string().nullable(),
  /** The tools that the connected device agent can run. */
  capabilities: z.array(z.string()),
  /** Whether other members may run commands on this device. */
  shared: z.boolean(),
  /** Whether every agent session on this device gets project secrets; see device.setSecretsAllowed. */
  secretsAllowed: z.boolean(),
  /** The name by which people reach the machine with ssh, for their editors; null if its owner has given none. */
  sshHost: z.string().nullable(),
  createdAt: timestamp,
});
export type Device = z.infer<typeof device>;

export const deviceRegisterInput = z.strictObject({ ...organizationScope, name, platform });
export type DeviceRegisterInput = z.infer<typeof deviceRegisterInput>;
/** `apiKey` is the device key. It is shown only once. */
export const deviceRegistered = device.extend({ apiKey: z.string() });

/** Requests the pairing of a machine. Needs no credential. */
export const deviceRequestPairingInput = z.strictObject({ name, platform, agentVersion: line(50) });
export type DeviceRequestPairingInput = z.infer<typeof deviceRequestPairingInput>;
/** `secret` is the machine's own. A person compares the `code`, such as `BCDF-GHJK`, and approves it. */
export const devicePairingRequested = z.object({
  secret: z.string(),
  code: z.string(),
  expiresAt: timestamp,
});

/** A pairing code. Case-insensitive; the hyphen is optional. */
const pairingCode = z.string().max(20);
export const deviceGetPairingInput = z.object({ code: pairingCode });
export type DeviceGetPairingInput = z.infer<typeof deviceGetPairingInput>;
/** A machine that waits for approval, as it described itself. `ip`: the address of its request. */
export const devicePairing = z.object({
  name: z.string(),
  platform,
  agentVersion: z.string().nullable(),
  ip: z.string().nullable(),
  requestedAt: timestamp,
  expiresAt: timestamp,
});
export type DevicePairing = z.infer<typeof devicePairing>;

export const deviceApprovePairingInput = z.strictObject({
  ...organizationScope,
  code: pairingCode,
  /** Replaces the name that the machine gave itself. */
  name: name.optional(),
  shared: z.boolean().default(false),
});
export type DeviceApprovePairingInput = z.infer<typeof deviceApprovePairingInput>;
/** The id of the device that the machine becomes with its next request. */
export const devicePairingApproved = z.object({ deviceId: id });

export const deviceCreateRegistrationInput = z.strictObject({
  ...organizationScope,
  shared: z.boolean().default(false),
});
export type DeviceCreateRegistrationInput = z.infer<typeof deviceCreateRegistrationInput>;
/** A token with which one machine registers itself within an hour. It is shown only once. */
export const deviceRegistration = z.object({ token: z.string(), deviceId: id, expiresAt: timestamp });

/** `secret`: of the pairing, or a registration's token. The facts of a pairing were given when it was requested. */
export const deviceFinishPairingInput = z.strictObject({ secret: z.string().max(200), name, platform });
export type DeviceFinishPairingInput = z.infer<typeof deviceFinishPairingInput>;
/** Null until the pairing is approved. */
export const devicePairingFinished = z.object({ device: deviceRegistered.nullable() });

export const deviceListInput = z.object({
  ...organizationScope,
  status: deviceStatus.optional(),
  includeRevoked: z.boolean().default(false),
  ...page,
});
export type DeviceListInput = z.infer<typeof deviceListInput>;

export const deviceGetInput = z.object({ ...organizationScope, id });
export type DeviceGetInput = z.infer<typeof deviceGetInput>;
export const deviceUpdateInput = z.strictObject({
  ...organizationScope,
  id,
  name: name.optional(),
  shared: z.boolean().optional(),
  /** Null takes it away. */
  sshHost: sshHost.nullable().optional(),
});
export type DeviceUpdateInput = z.infer<typeof deviceUpdateInput>;
export const deviceSetSecretsAllowedInput = z.strictObject({
  ...organizationScope,
  id,
  allowed: z.boolean(),
});
export type DeviceSetSecretsAllowedInput = z.infer<typeof deviceSetSecretsAllowedInput>;
export const deviceRevokeInput = z.strictObject({ ...organizationScope, id });
export type DeviceRevokeInput = z.infer<typeof deviceRevokeInput>;
export const deviceRotateKeyInput = z.strictObject({ ...organizationScope, id });
export type DeviceRotateKeyInput = z.infer<typeof deviceRotateKeyInput>;
/** The new device key. It is shown only once. */
export const deviceKeyRotated = z.object({ apiKey: z.string() });

/** device.self: the device that the presented key belongs to. */
export const deviceSelf = z.object({
  device,
  organization: z.object({ id, name: z.string(), slug: z.string() }),
});

export const deviceConnectInput = z.object({
  /** Created together with the device's journal. An unsettled command is sent again only to the same journal. */
  journalId: id,
  /**
   * The epoch of the newest stream that the journal has on disk; 0 before the first. An epoch below the one that the
   * API has seen means that an older journal was restored; an epoch above it, that an older database was. A client
   * without a journal omits it.
   */
  epoch: z.number().int().min(0).max(2_000_000_000).optional(),
  /** The newest of all commands that the journal ever began. */
  newestBegun: id.optional(),
  agentVersion: line(50),
  capabilities: z.array(toolName).max(100),
  /** tRPC's resume id: accepted and ignored, since open commands are read from the table at each connect. */
  lastEventId: z.string().optional(),
});
export type DeviceConnectInput = z.infer<typeof deviceConnectInput>;

/** An event of device.probe: `n` counts to 3, a third of a second apart. */
export const deviceProbe = z.object({ type: z.literal("probe"), n: z.number().int() });

/** An event of device.connect. */
export const deviceEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("command"),
    id,
    /** The device that the command is for. */
    deviceId: id,
    tool: z.string(),
    params: jsonObject,
    /** How long the work may still take. A duration, never a clock time: device clocks are not trusted. */
    remainingMs: z.number().int(),
    /** How long the command may wait for a free slot before it expires. */
    startWithinMs: z.number().int(),
    requestedBy: id.nullable(),
    /** The span that the work belongs to (W3C's traceparent), if the API traces. */
    traceParent: z.string().optional(),
  }),
  z.object({ type: z.literal("cancel"), id }),
  /** The device answers with agent.heartbeat, the same epoch and n. Presence means that this round trip works. */
  z.object({
    type: z.literal("beat"),
    n: z.number().int(),
    epoch: z.number().int(),
    /** When the next heartbeat comes. */
    nextMs: z.number().int().min(1).max(300_000),
  }),
  z.object({ type: z.literal("settled"), ids: z.array(id) }),
  /** A session got its first viewer: the device reports the collected output, and further output without delay. */
  z.object({ type: z.literal("watch"), sessionId: id }),
  z.object({ type: z.literal("drain") }),
  z.object({ type: z.literal("revoked") }),
]);
export type DeviceEvent = z.infer<typeof deviceEvent>;
/** A command, as a device is sent it. */
export type CommandDelivery = Extract<DeviceEvent, { type: "command" }>;
