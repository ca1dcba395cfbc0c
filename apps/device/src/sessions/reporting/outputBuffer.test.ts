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

it("a trimmed buffer keeps at most what the cloud keeps, and reports how much is missing", () => {
  const buffer = new OutputBuffer();
  for (let n = 0; n < 100; n++) buffer.add(`${String(n).padStart(9)}\n`.repeat(1_000));
  expect(buffer.isFull).toBe(true);
  buffer.trim();
  expect(buffer.isFull).toBe(false);
  const [first = "", ...rest] = takeAll(buffer);
  const [, dropped] = /^\r\n\[grove: (\d+) bytes of output are missing here/.exec(first) ?? [];
  const kept = (first + rest.join("")).slice(first.indexOf("]\r\n") + 3);
  expect(Number(dropped) + kept.length).toBe(1_000_000);
  expect(kept.length).toBeLessThanOrEqual(sessionOutputLimits.keptBytes);
  expect(kept.length).toBeGreaterThan(sessionOutputLimits.keptBytes - 20_000);
  expect(kept.endsWith("99\n")).toBe(true);
  buffer.add("more");
  expect(takeAll(buffer)).toEqual(["more"]);
});
