import { describe, expect, it } from "vitest";
import { Integrations } from "../integrations";
import { gitHubToken, useGitHubApi } from "../testing";
import { isPublicAddress } from "./addresses";

const github = await useGitHubApi();
const { port } = new URL(github.url);
const credentials = { type: "token" as const, token: gitHubToken };

it.each([
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "100.100.100.200",
  "168.63.129.16",
  "0.0.0.0",
  "192.0.0.192",
  "255.255.255.255",
  "224.0.0.1",
  "::",
  "::1",
  "fe80::1",
  "fd00:ec2::254",
  "::ffff:127.0.0.1",
  "::ffff:a9fe:a9fe",
  "64:ff9b::a9fe:a9fe",
  "::169.254.169.254",
  "::a9fe:a9fe",
  "4000::1",
  "2002:7f00:1::",
  "ff02::1",
  "localhost",
  "",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(["1.1.1.1", "140.82.121.3", "2606:50c0:8000::153"])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

describe("an address that someone gives", () => {
  const integrations = new Integrations();
  it.each([
    "http://git.example.com",
    "https://127.0.0.1",
    "https://127.1",
    "https://2130706433",
    "https://0x7f.0.0.1",
    "https://[::1]:8443",
    "https://[::ffff:7f00:1]",
    "https://169.254.169.254/latest",
    "https://user:password@git.example.com",
    "https://git.example.com/?a=b",
  ])("%s is refused", (url) => {
    expect(() => integrations.readBaseUrl("gitlab", url)).toThrow("address_refused");
  });

  it("is kept as it is, unless it is the provider's public one", () => {
    expect(integrations.readBaseUrl("gitlab", "https://git.example.com/gitlab/")).toBe(
      "https://git.example.com/gitlab",
    );
    for (const [provider, url] of [
      ["gitlab", "https://gitlab.com/"],
      ["github", "https://github.com"],
      ["github", undefined],
    ] as const)
      expect(integrations.readBaseUrl(provider, url)).toBeNull();
    expect(() => integrations.readBaseUrl("linear", "https://linear.example.com")).toThrow(
      "only its public address",
    );
    expect(() => integrations.readBaseUrl("jira", undefined)).toThrow("give baseUrl");
  });
});

describe("an address that is kept", () => {
  const account = async (privateHosts: string[], baseUrl: string) => {
    const integrations = new Integrations({ privateHosts });
    try {
      return await integrations.account({ provider: "github", credentials, baseUrl });
    } finally {
      await integrations.close();
    }
  };

  it("is not reached by a name that now resolves to this machine", async () => {
    github.received = [];
    await expect(account([], `http://localhost:${port}`)).rejects.toMatchObject({
      failure: "address_refused",
    });
    expect(github.received).toEqual([]);
  });

  it("is not reached by IP address", async () => {
    for (const host of ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"])
      await expect(account([], `http://${host}:${port}`)).rejects.toMatchObject({
        failure: "address_refused",
      });
    expect(github.received).toEqual([]);
  });

  it("is reached if the operator has named its host, and no other is", async () => {
    const baseUrl = `http://localhost:${port}`;
    expect(await account([`localhost:${port}`], baseUrl)).toMatchObject({ name: "octocat" });
    // A host without a port means only its ports 443 and 80.
    for (const other of [`git.internal:${port}`, "localhost:1", "localhost"])
      await expect(account([other], baseUrl)).rejects.toMatchObject({ failure: "address_refused" });
    for (const [hosts, url] of [
      [["localhost"], "http://localhost"],
      [["[::1]:8443"], "https://[::1]:8443"],
      [["::1"], "https://[::1]"],
    ] as const)
      expect(new Integrations({ privateHosts: [...hosts] }).readBaseUrl("gitlab", url)).toBe(url);
  });

  const redirectsTo = async (location: string) => {
    github.override = ({ path }) =>
      path === "/api/v3/user" ? { status: 302, headers: { location }, json: {} } : undefined;
    github.received = [];
    await expect(account([`127.0.0.1:${port}`], github.url)).rejects.toMatchObject({ failure: "bad_answer" });
    expect(github.received).toHaveLength(1);
    github.override = undefined;
  };

  it("does not redirect to another address", () => redirectsTo(`http://localhost:${port}/user`));

  it("does not redirect to another kind of address that has the same origin", () =>
    redirectsTo(`blob:${github.url}/user`));
});
