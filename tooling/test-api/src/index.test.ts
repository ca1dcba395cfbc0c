import { expect, it } from "vitest";
import { TestApi } from "./api";
import { useApi } from "./index";

const api = useApi();

it("serves, and continues with the same data after it was killed", async () => {
  const { client, organizationId } = await api.signUp("Ada");
  const { url } = api;
  await api.stop("SIGKILL");
  await api.start();
  expect(api.url).toBe(url);
  expect((await client.organization.list.query()).map(({ id }) => id)).toEqual([organizationId]);
});

it("leaves nothing behind when it is removed while it starts", async () => {
  const hasty = new TestApi();
  const starting = hasty.start();
  const refused = expect(starting).rejects.toThrow("the API did not start");
  await hasty.remove();
  await refused;
});
