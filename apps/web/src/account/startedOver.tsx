/** The account was taken from somebody who had never proven its address. */
export const StartedOver = () => (
  <p>
    The address was never verified before, so the account started over. Its organizations, keys and devices of
    before are gone.
  </p>
);
