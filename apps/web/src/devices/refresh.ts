/** While a page is visible, presence is read again this often. */
export const REFRESH_MS = 5_000;
/** The same while a person waits for a machine to appear. */
export const WAITING_MS = 2_000;
