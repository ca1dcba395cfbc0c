/**
 * The parts of the addon that this package uses. Its own types need those of the DOM, which every program that uses
 * this package would then get.
 */
declare module "@xterm/addon-serialize/lib/addon-serialize.mjs" {
  import type { ITerminalAddon } from "@xterm/headless";

  export class SerializeAddon implements ITerminalAddon {
    activate(): void;
    dispose(): void;
    serialize(options: { scrollback: number }): string;
  }
}
