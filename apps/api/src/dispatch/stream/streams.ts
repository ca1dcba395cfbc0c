import type { LocalStream } from "./localStream";

/** The device streams that are attached to this process. */
export class Streams {
  readonly #streams = new Map<string, LocalStream>();
  readonly #byKey = new Map<string, LocalStream>();
  #onLastClosed = () => {};

  /**
   * Registers the stream that takes its device's commands on this process, and ends an older one. Returns a function
   * that removes it.
   */
  open(local: LocalStream): () => void {
    const { deviceId, epoch } = local.stream;
    const other = this.#streams.get(deviceId);
    // Two streams of the device connect at the same time, and the newer one was faster.
    if (other && other.stream.epoch > epoch) {
      local.inbox.onSuperseded();
      return () => {};
    }
    other?.inbox.onSuperseded();
    this.#streams.set(deviceId, local);
    this.#byKey.set(local.keyHash, local);
    return () => {
      if (this.#streams.get(deviceId) === local) this.#streams.delete(deviceId);
      if (this.#byKey.get(local.keyHash) === local) this.#byKey.delete(local.keyHash);
      if (this.#streams.size === 0) this.#onLastClosed();
    };
  }

  /** Resolves when no stream is attached any longer. */
  untilEmpty(): Promise<void> {
    return new Promise((resolve) => {
      this.#onLastClosed = resolve;
      if (this.#streams.size === 0) resolve();
    });
  }

  /** The device's stream, if it is attached to this process and keeps up with the commands that it is given. */
  of(deviceId: string): LocalStream | undefined {
    const local = this.#streams.get(deviceId);
    return local?.inbox.acceptsCommands ? local : undefined;
  }

  /** The stream of this epoch, if it is attached to this process. */
  at(deviceId: string, epoch: number): LocalStream | undefined {
    const local = this.#streams.get(deviceId);
    return local?.stream.epoch === epoch ? local : undefined;
  }

  /** The stream that was opened with the key of this hash. */
  openedWith(keyHash: string): LocalStream | undefined {
    return this.#byKey.get(keyHash);
  }

  get count(): number {
    return this.#streams.size;
  }

  all(): LocalStream[] {
    return [...this.#streams.values()];
  }

  /** The device has reported a start or an end of the command, so it reads its stream. */
  acknowledged(deviceId: string, commandId: string): void {
    this.#streams.get(deviceId)?.sent.onAcknowledged(commandId);
  }
}
