import { password } from "../testing/server";
import { inOrganization, type Matrix, ofStranger } from "./entry";
import { memberSession, people, sessions } from "./outcomes";

const pushSubscription = {
  endpoint: "https://updates.push.services.mozilla.com/wpush/v2/matrix",
  p256dh: `B${"A".repeat(86)}`,
  auth: "A".repeat(22),
  label: "Firefox",
};

export const userMatrix: Matrix = {
  get: { outcomes: people, input: () => undefined },
  update: { outcomes: sessions, input: () => ({ image: null }) },
  changePassword: {
    outcomes: sessions,
    // Keeps the password, since other entries of the matrix sign in with it.
    input: () => ({ currentPassword: password, newPassword: password }),
  },
  getSignInMethods: { outcomes: sessions, input: () => undefined },
  listSessions: { outcomes: sessions, input: () => undefined },
  revokeSession: {
    // A session of the member: for other users it does not exist.
    outcomes: "401  404  404  ok   404  404  403  403  401  401  401  401",
    input: async (world) => ({ id: await world.session() }),
    foreign: async (world) => ({ id: await world.session() }),
  },
  listNotificationRules: { outcomes: memberSession, input: inOrganization },
  setNotificationRules: {
    outcomes: memberSession,
    input: (world) => ({ ...inOrganization(world), rules: [{ channel: "push", kinds: ["needs_input"] }] }),
  },
  listPushSubscriptions: { outcomes: sessions, input: () => undefined },
  subscribePush: { outcomes: sessions, input: () => pushSubscription },
  unsubscribePush: {
    // The member's: for other users it does not exist.
    outcomes: "401  404  404  ok   404  404  403  403  401  401  401  401",
    input: async ({ member }) => ({
      id: (await member.client.user.subscribePush.mutate(pushSubscription)).id,
    }),
  },
  testNotification: {
    // The member's own rule.
    outcomes: "401  403  403  ok   404  404  403  403  401  401  401  401",
    input: async (world) => ({ ...inOrganization(world), ruleId: await world.notificationRule() }),
    foreign: async (world) => ({ ...ofStranger(world), ruleId: await world.notificationRule() }),
  },
  listNotificationDeliveries: { outcomes: memberSession, input: inOrganization },
  reportPresence: { outcomes: sessions, input: () => undefined },
  delete: {
    // A wrong password, so that the people stay.
    outcomes: "401  403  403  403  403  403  403  403  401  401  401  401",
    input: () => ({ password: "wrong horse battery" }),
  },
};
