/** While a page is visible, people and invitations are read again this often. */
export const REFRESH_MS = 5_000;
