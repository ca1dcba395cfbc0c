import { retry } from "../cloud/backoff";
import type { DeviceApi } from "../cloud/deviceApi";
import { CommandFailure } from "../errors";
import { CLOUD_PATIENCE } from "../tools/repository";

/** The device's owner. The cloud is asked when it first matters; the answer never changes. */
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
      this.#id ??= (await retry(() => this.#cloud.self(), { ...CLOUD_PATIENCE, signal })).device.ownerId;
    } catch (error) {
      signal.throwIfAborted();
      throw new CommandFailure(
        "cloud_unreachable",
        `The device could not ask the cloud for its owner: ${(error as Error).message}`,
      );
    }
    return this.#id === userId;
  }
}
