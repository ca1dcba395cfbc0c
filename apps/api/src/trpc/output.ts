import { isDeepStrictEqual } from "node:util";
import type { TrackedEnvelope } from "@trpc/server";
import type * as z from "zod";

let checking = false;

/** Compares every response with its declared schema from now on. For tests only: in production it would cost time. */
export function checkOutputs(): void {
  checking = true;
}

/**
 * Declares a procedure's output. The compiler checks the resolver against it. After {@link checkOutputs} each response
 * is checked as well, and an undocumented field is an error.
 */
export function output<Schema extends z.ZodType>(schema: Schema) {
  // tRPC infers the resolver's type from this return type, and passes in the resolver's value.
  const parse = (value: unknown): z.infer<Schema> => {
    if (checking && !isDeepStrictEqual(schema.parse(value), value))
      throw new Error(`The output has fields that its schema does not: ${JSON.stringify(value)}`);
    return value as z.infer<Schema>;
  };
  return Object.assign(parse, { schema });
}

/** Like {@link output}, for a subscription: declares the data of its tracked events. */
export function outputEvents<Schema extends z.ZodType>(schema: Schema) {
  const data = output(schema);
  return streamOf<TrackedEnvelope<z.infer<Schema>>, Schema>(schema, (envelope) => data(envelope[1]));
}

/** Like {@link outputEvents}, for a subscription whose events have no id to resume from. */
export const outputStream = <Schema extends z.ZodType>(schema: Schema) =>
  streamOf<z.infer<Schema>, Schema>(schema, output(schema));

function streamOf<Event, Schema extends z.ZodType>(schema: Schema, check: (event: Event) => unknown) {
  type Stream = AsyncIterable<Event, void>;
  async function* checked(stream: Stream) {
    for await (const event of stream) {
      check(event);
      yield event;
    }
  }
  const parse = (resolved: unknown): Stream => {
    // As in `output`, the compiler has checked the resolver.
    const stream = resolved as Stream;
    return checking ? checked(stream) : stream;
  };
  return Object.assign(parse, { schema });
}
