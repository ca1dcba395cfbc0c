/**
 * The addon as far as it is used here. Its own types are for pages: they would bring those of the DOM into every
 * program that uses this package.
 */
declare module "@xterm/addon-serialize/lib/addon-serialize.mjs" {
  import type { ITerminalAddon } from "@xterm/headless";

  export class SerializeAddon implements ITerminalAddon {
    activate(): void;
    dispose(): void;
    serialize(options: { scrollback: number }): string;
  }
}
