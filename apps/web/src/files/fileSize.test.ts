import { expect, it } from "vitest";
import { fileSize } from "./fileSize";

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1_023, "1023 bytes"],
  [1_024, "1 KiB"],
  [1_536, "1.5 KiB"],
  [256 * 1_024, "256 KiB"],
  [5 * 1_024 ** 3, "5 GiB"],
])("formats %i bytes as %s", (bytes, text) => {
  expect(fileSize(bytes)).toBe(text);
});
