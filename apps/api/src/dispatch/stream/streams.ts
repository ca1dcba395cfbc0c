import type { LocalStream } from "./localStream";

/** The device streams that are attached to this process. */
export class Streams {
  readonly #streams = new Map<string, LocalStream>();

  /** Registers the stream that takes its device's commands on this process. Returns a function that removes it. */
  open(stream: LocalStream): () => void {
    const { deviceId } = stream.stream;
    this.#streams.set(deviceId, stream);
    return () => {
      if (this.#streams.get(deviceId) === stream) this.#streams.delete(deviceId);
    };
  }

  /** The device's stream, if it is attached to this process and keeps up with the commands that it is given. */
  of(deviceId: string): LocalStream | undefined {
    const stream = this.#streams.get(deviceId);
    return stream?.hasRoom ? stream : undefined;
  }

  all(): LocalStream[] {
    return [...this.#streams.values()];
  }

  /** The device has reported a start or an end of the command, so it reads its stream. */
  acknowledged(deviceId: string, commandId: string): void {
    this.#streams.get(deviceId)?.acknowledged(commandId);
  }
}
