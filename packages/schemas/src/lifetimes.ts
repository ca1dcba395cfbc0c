// Lifetimes that a text states as well. Without zod, so that the console can import them.

/** For how many days a deleted task can be restored. */
export const DELETED_TASK_DAYS = 30;

/** For how many days an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/** How many days a settled command is kept. */
export const COMMAND_DAYS = 30;

/** How many days a webhook delivery is kept once it was processed or given up. */
export const DELIVERY_DAYS = 30;

/** How many days the device keeps the work of a deleted workspace. */
export const RESCUE_DAYS = 30;

/** For how many minutes the link that signs a browser in can be opened. */
export const LINK_MINUTES = 10;

/** How many days the session of a person lasts. */
export const SESSION_DAYS = 30;

/** For how many minutes a machine that waits for approval can be approved. */
export const PAIRING_MINUTES = 10;

/** For how many hours a merge waits for checks at most. */
export const MERGE_WAIT_HOURS = 24;
