import { expect, it } from "vitest";
import { OutputWriter } from "./outputWriter";

function recordingWriter() {
  const lengths: number[] = [];
  const write = (output: string | Uint8Array, onParsed?: () => void) => {
    lengths.push(output.length);
    onParsed?.();
  };
  return { lengths, writer: new OutputWriter({ write }) };
}

it("writes the first output in large chunks, and later output in small ones", async () => {
  const { lengths, writer } = recordingWriter();
  await writer.write("x".repeat(300_000));
  expect(lengths).toEqual([262_144, 37_856]);
  await writer.write("x".repeat(5_000));
  expect(lengths.slice(2)).toEqual([4_096, 904]);
});

it("writes small chunks immediately while the user types", async () => {
  const { lengths, writer } = recordingWriter();
  writer.endInitial();
  await writer.write("x".repeat(5_000));
  expect(lengths).toEqual([4_096, 904]);
});
