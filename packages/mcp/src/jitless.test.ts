import { expect, it } from "vitest";
import * as z from "zod";
import "./index";

it("keeps zod from compiling any schema of a server", () => {
  expect(z.config().jitless).toBe(true);
});
