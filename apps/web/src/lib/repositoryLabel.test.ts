import { expect, it } from "vitest";
import { repositoryLabel } from "./repositoryLabel";

it.each([
  ["https://github.com/acme/shop.git", "acme/shop"],
  ["git@github.com:acme/shop.git", "acme/shop"],
  ["file:///home/ada/my%20shop", "/home/ada/my shop"],
  ["file:///home/ada/100%", "/home/ada/100%"],
])("labels %s as %s", (repoUrl, label) => {
  expect(repositoryLabel({ repoUrl, repoOwner: "acme", repoName: "shop" })).toBe(label);
});
