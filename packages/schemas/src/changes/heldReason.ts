import * as z from "zod";

/**
 * Why failed checks were left to a person. `off`: the project sends none. `spent`: the change had all of its rounds.
 * `same_failure`: an earlier round's work did not change the failure. `not_a_failure`: canceled, or a person must act
 * at the code host. `fork`: the commits are another repository's. `no_agent`: no running agent that reports its turns.
 * `not_permitted`: the user who started the agent may no longer use its device. `not_delivered`: the device refused the
 * round, or its outcome is unknown. `no_new_commit`: the agent's turn ended without one. `not_finished`: after a
 * failure of the gate, the agent's turn ended without a report that the work is finished.
 */
export const heldReason = z.enum([
  ...(["off", "spent", "same_failure", "not_a_failure", "fork"] as const),
  ...(["no_agent", "not_permitted", "not_delivered", "no_new_commit", "not_finished"] as const),
]);
export type HeldReason = z.infer<typeof heldReason>;
