import { expect, it } from "vitest";
import { useHttpServer } from "../../testing/http";

const { server } = await useHttpServer();

it("a request must arrive whole within a minute, and a connection must move within two", () => {
  const { requestTimeout, timeout, maxConnections } = server.server;
  expect({ requestTimeout, timeout, maxConnections }).toEqual({
    requestTimeout: 60_000,
    timeout: 120_000,
    maxConnections: 10_000,
  });
});
