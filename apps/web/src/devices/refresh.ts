/** Commands are not on the live stream: while a page is visible, they are read again this often. */
export const REFRESH_MS = 5_000;
/** The same while a person waits for a machine to appear, also on pages that follow no stream. */
export const WAITING_MS = 2_000;
