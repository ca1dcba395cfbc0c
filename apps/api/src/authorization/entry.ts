import type { World } from "../testing/world";

/** One procedure's row in the authorization matrix. */
interface Entry {
  /** The outcome for each of the identities, in their order: `ok` or an HTTP status. */
  outcomes: string;
  /** A valid input, made again for each call. */
  input(world: World): unknown;
  /**
   * An input with the stranger's own organization and ids of the first organization's rows. The call must return 404.
   */
  foreign?(world: World): unknown;
}

/** The rows of one router, by procedure name. */
export type Matrix = Record<string, Entry>;

export const inOrganization = ({ organizationId }: World) => ({ organizationId });
export const ofStranger = ({ stranger }: World) => ({ organizationId: stranger.organizationId });
