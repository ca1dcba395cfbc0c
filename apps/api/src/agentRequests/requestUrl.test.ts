import { newId } from "@grove/db";
import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";
import { requestUrl } from "./requestUrl";

const { services, signUp } = await useTestServer();

it("is a page of the console, if the console has a public address", async () => {
  const { organizationId, client } = await signUp("Ada");
  const { slug } = await client.organization.get.query({ organizationId });
  const id = newId();
  const urlAt = (address: object) =>
    requestUrl({ ...services, config: { ...services.config, ...address } }, { organizationId, id });
  const [publicUrl, webDir] = ["https://grove.example.com", "/console"];
  expect(await urlAt({ publicUrl, webDir })).toBe(`${publicUrl}/o/${slug}/requests/${id}`);
  expect(await urlAt({ publicUrl, webDir: undefined })).toBeUndefined();
  expect(await urlAt({ publicUrl: undefined, webDir })).toBeUndefined();
});
