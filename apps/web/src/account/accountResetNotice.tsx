/** Shown if the account was taken over from a holder who had never verified the address. */
export const AccountResetNotice = () => (
  <p>
    The email address had never been verified, so the account was reset. Its previous organizations, keys and
    devices were deleted.
  </p>
);
