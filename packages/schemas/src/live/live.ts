import * as z from "zod";
import { agentRequest } from "../agentRequests/agentRequest";
import { agentSession } from "../agentSessions/agentSession";
import { workState } from "../changes/change";
import { device } from "../devices/device";
import { lastEventId, readyEvent } from "../event";
import { organizationScope } from "../organizations/organization";
import { taskChange } from "../tasks/task";
import { id, timestamp } from "../values";
import { workspace } from "../workspaces/workspace";

export const organizationWatchInput = z.object({ ...organizationScope, lastEventId });

/**
 * An event of organization.watch. `ready` has the version of the server and of its console; it comes again with
 * `missed` after more changes than the stream can report. `at` is the time at which the state was read: a state that
 * was read earlier is older, whenever it arrives. A workspace has `updatedAt` for that; a deleted workspace does not
 * come back. List again: the comments of the change after `review`, changes after `change`, projects after
 * `projects_changed`, and members, invitations and API keys after `organization_changed`.
 */
export const organizationEvent = z.discriminatedUnion("type", [
  readyEvent.extend({ version: z.string() }),
  z.object({ type: z.literal("task"), event: taskChange }),
  z.object({ type: z.literal("device"), device, at: timestamp }),
  z.object({ type: z.literal("session"), session: agentSession, at: timestamp }),
  z.object({ type: z.literal("request"), request: agentRequest, at: timestamp }),
  z.object({ type: z.literal("workspace"), workspace }),
  z.object({ type: z.literal("workspace_gone"), id }),
  z.object({ type: z.literal("review"), changeId: id, at: timestamp }),
  z.object({
    type: z.literal("change"),
    changeId: id,
    workState,
    taskId: id.nullable(),
    /** The most urgent state of the task's changes. */
    taskState: workState.nullable(),
    at: timestamp,
  }),
  z.object({ type: z.literal("projects_changed") }),
  z.object({ type: z.literal("organization_changed") }),
]);
export type OrganizationEvent = z.infer<typeof organizationEvent>;
