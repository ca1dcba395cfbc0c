import type { Matrix } from "./entry";
import { people, sessions } from "./outcomes";

export const organizationMatrix: Matrix = {
  create: { outcomes: sessions, input: () => ({ name: "Orchard" }) },
  list: { outcomes: people, input: () => undefined },
};
