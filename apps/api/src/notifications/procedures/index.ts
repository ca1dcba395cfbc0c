import {
  noInput,
  notificationDelivery,
  notificationRule,
  pushSubscription,
  pushSubscriptions,
  success,
  userListNotificationDeliveriesInput,
  userListNotificationRulesInput,
  userSetNotificationRulesInput,
  userSubscribePushInput,
  userTestNotificationInput,
  userUnsubscribePushInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberSessionProcedure, sessionProcedure } from "../../trpc/procedures";
import { enqueueTest } from "../enqueueTest";
import { listDeliveries } from "../listDeliveries";
import { listRules, setRules } from "../rules";
import { listSubscriptions, subscribe, unsubscribe } from "../subscriptions";
import { reportPresence } from "../userPresence";

/** Part of the user router: notification rules, push subscriptions and deliveries. */
export const notificationProcedures = {
  /** The caller's own rules in an organization. Their targets are secret: only a host or a channel is returned. */
  listNotificationRules: memberSessionProcedure(userListNotificationRulesInput)
    .output(output(z.array(notificationRule)))
    .query(({ ctx, input: { organizationId } }) =>
      listRules(ctx.services.database.db, { organizationId, userId: ctx.principal.user.id }),
    ),

  /**
   * Replaces the caller's own rules in an organization. A rule with an id keeps its target unless another is given.
   * NOT_FOUND for an unknown rule or connection; BAD_REQUEST `base_url_refused` for an address that is not public,
   * `unknown_time_zone`.
   */
  setNotificationRules: memberSessionProcedure(userSetNotificationRulesInput)
    .output(output(z.array(notificationRule)))
    .mutation(({ ctx, input }) => setRules(ctx.services, ctx.principal, input)),

  /** The caller's subscribed browsers, and the public key with which a browser subscribes. */
  listPushSubscriptions: sessionProcedure(noInput)
    .output(output(pushSubscriptions))
    .query(({ ctx }) => listSubscriptions(ctx.services, ctx.principal)),

  /**
   * Subscribes this browser, until the session ends. A repeated endpoint renews its subscription. BAD_REQUEST
   * `push_host_refused` if the endpoint is at no push service of a browser; PRECONDITION_FAILED `quota_exceeded`.
   */
  subscribePush: sessionProcedure(userSubscribePushInput)
    .output(output(pushSubscription))
    .mutation(({ ctx, input }) => subscribe(ctx.services, ctx.principal, input)),

  /** Ends one of the caller's subscriptions; NOT_FOUND if there is none. */
  unsubscribePush: sessionProcedure(userUnsubscribePushInput)
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      await unsubscribe(ctx.services, ctx.principal, input.id);
      return { success: true as const };
    }),

  /**
   * Sends a notification by one of the caller's rules, soon and also in its quiet hours. NOT_FOUND if there is no such
   * rule; TOO_MANY_REQUESTS `rate_limited` after ten in a minute.
   */
  testNotification: memberSessionProcedure(userTestNotificationInput)
    .output(output(success))
    .mutation(async ({ ctx, input: { organizationId, ruleId } }) => {
      const userId = ctx.principal.user.id;
      ctx.services.limits.testNotifications.take(userId);
      await enqueueTest(ctx.services.database.db, { organizationId, userId }, ruleId);
      return { success: true as const };
    }),

  /** Returns the caller's last 20 notifications in an organization, with their delivery state. */
  listNotificationDeliveries: memberSessionProcedure(userListNotificationDeliveriesInput)
    .output(output(z.array(notificationDelivery)))
    .query(({ ctx, input: { organizationId } }) =>
      listDeliveries(ctx.services.database.db, { organizationId, userId: ctx.principal.user.id }),
    ),

  /**
   * Reports that the caller has the console in view for the next 45 seconds. During this time pushes wait 30 seconds,
   * and are not sent if the request is answered by then.
   */
  reportPresence: sessionProcedure(noInput)
    .output(output(success))
    .mutation(async ({ ctx }) => {
      await reportPresence(ctx.services.database.db, ctx.principal.user.id);
      return { success: true as const };
    }),
} satisfies TRPCRouterRecord;
