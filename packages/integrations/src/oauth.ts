import type { CallContext } from "./provider";

/** How a provider's OAuth 2.0 differs from others' (RFC 6749). */
export interface OAuthDefinition {
  authorizeUrl: string;
  tokenUrl: string;
  scopes: string[];
  /** Between scopes, where it is not the standard's space. */
  scopeSeparator?: string;
  /** Whether it knows code challenges (RFC 7636). */
  pkce: boolean;
  /** How it wants the client's secret (RFC 6749, section 2.3.1). */
  clientAuthentication: "basic" | "body";
  /** Further parameters of the authorization page. */
  parameters?: Record<string, string>;
  /** Where tokens of OAuth are good, when it is elsewhere. */
  apiUrl?: string;
  /** Which site a grant is for, where one account has several. */
  readSite?(accessToken: string, context: CallContext): Promise<{ id: string; url: string }>;
}
