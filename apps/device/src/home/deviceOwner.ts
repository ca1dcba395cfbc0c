import { messageOf } from "@grove/schemas";
import { retry } from "@grove/signals/retry";
import type { DeviceApi } from "../cloud/deviceApi";
import { apiRetryOptions } from "../cloud/retryOptions";
import { CommandFailure } from "../errors";

/** The device's owner, fetched from the API on first use and cached. A device never changes its owner. */
export class DeviceOwner {
  #id: string | undefined;
  readonly #cloud: Pick<DeviceApi, "self">;

  constructor(cloud: Pick<DeviceApi, "self">) {
    this.#cloud = cloud;
  }

  /**
   * Whether this user is the device's owner.
   * @throws {CommandFailure} `cloud_unreachable`; the signal's reason when aborted
   */
  async is(userId: string | null, signal: AbortSignal): Promise<boolean> {
    if (userId === null) return false;
    try {
      this.#id ??= (await retry(() => this.#cloud.self(), { ...apiRetryOptions, signal })).device.ownerId;
    } catch (error) {
      signal.throwIfAborted();
      throw new CommandFailure(
        "cloud_unreachable",
        `The device could not ask the API for its owner: ${messageOf(error)}`,
      );
    }
    return this.#id === userId;
  }
}
