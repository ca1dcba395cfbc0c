import type { Matrix } from "./entry";
import { people } from "./outcomes";

export const userMatrix: Matrix = {
  get: { outcomes: people, input: () => undefined },
};
