/** The beginning of a credential, by which its kind is recognized. */
export const credentialPrefixes = { session: "grs_", api_key: "grk_", device: "grd_" } as const;
