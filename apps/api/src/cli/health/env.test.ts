import { expect, it } from "vitest";
import { readOrigin } from "./env";

it.each([
  [{}, "http://127.0.0.1:3000"],
  [{ HOST: "", PORT: "" }, "http://127.0.0.1:3000"],
  [{ HOST: "0.0.0.0", PORT: "80" }, "http://127.0.0.1:80"],
  [{ HOST: "::" }, "http://[::1]:3000"],
  [{ HOST: "10.0.0.5" }, "http://10.0.0.5:3000"],
])("%o is reached at %s", (env, origin) => {
  expect(readOrigin(env)).toBe(origin);
});
