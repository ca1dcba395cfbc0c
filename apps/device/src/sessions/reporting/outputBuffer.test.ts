import { sessionOutputLimits } from "@grove/schemas";
import fc from "fast-check";
import { expect, it } from "vitest";
import { OutputBuffer } from "./outputBuffer";

const takeAll = (buffer: OutputBuffer): string[] => {
  const chunks = [];
  while (!buffer.isEmpty) chunks.push(buffer.take());
  return chunks;
};

it("output is returned complete and in order, in chunks that are well-formed and not too long", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "ä", "→", "🌳", "\x1b", "\n"),
    maxLength: 60_000,
    size: "max",
  });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 10 }), (pieces) => {
      const buffer = new OutputBuffer();
      for (const piece of pieces) buffer.add(piece);
      const chunks = takeAll(buffer);
      expect(chunks.join("") === pieces.join("")).toBe(true);
      for (const chunk of chunks)
        expect([chunk.length <= sessionOutputLimits.chunkLength, chunk.isWellFormed()]).toEqual([true, true]);
    }),
    { numRuns: 30 },
  );
});

it("a cleared buffer is empty, and output can be put before what was added since", () => {
  const buffer = new OutputBuffer();
  for (let n = 0; n < 100; n++) buffer.add(`${String(n).padStart(9)}\n`.repeat(1_000));
  expect(buffer.isFull).toBe(true);
  buffer.clear();
  expect([buffer.isFull, buffer.isEmpty, buffer.bytes]).toEqual([false, true, 0]);
  buffer.add("later");
  buffer.addBefore("first, ");
  expect(takeAll(buffer).join("")).toBe("first, later");
});
