import { expect, it } from "vitest";
import * as z from "zod";
import "./index";

it("has zod compile no schema that a server makes", () => {
  expect(z.config().jitless).toBe(true);
});
