import { password } from "../testing/server";
import type { Matrix } from "./entry";
import { people, sessions } from "./outcomes";

export const userMatrix: Matrix = {
  get: { outcomes: people, input: () => undefined },
  update: { outcomes: sessions, input: () => ({ image: null }) },
  changePassword: {
    outcomes: sessions,
    // The same again: other rows need these people.
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
  delete: {
    // A wrong password, so that the people stay.
    outcomes: "401  403  403  403  403  403  403  403  401  401  401  401",
    input: () => ({ password: "wrong horse battery" }),
  },
};
