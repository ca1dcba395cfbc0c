import { isCloneUrl } from "@grove/schemas";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hostedRepository } from "./url";

it.each([
  ["https://github.com/acme/app.git", "https://github.com/acme/app.git", "acme", "app"],
  ["https://github.com/acme/app", "https://github.com/acme/app", "acme", "app"],
  ["https://user:ghp_secret@github.com/acme/app.git", "https://github.com/acme/app.git", "acme", "app"],
  ["https://ghp_secret@github.com/acme/app.git", "https://github.com/acme/app.git", "acme", "app"],
  ["https://gitlab.com/group/sub/app.git/", "https://gitlab.com/group/sub/app.git/", "group/sub", "app"],
  ["ssh://git@example.com:2222/acme/app.git", "ssh://git@example.com:2222/acme/app.git", "acme", "app"],
  ["ssh://git:pw@example.com/acme/app.git", "ssh://git@example.com/acme/app.git", "acme", "app"],
  ["git@github.com:acme/app.git", "git@github.com:acme/app.git", "acme", "app"],
  ["git@host.example:app.git", "git@host.example:app.git", "git", "app"],
  ["host.example:acme/app", "host.example:acme/app", "acme", "app"],
  ["git@intranet:acme/app", "git@intranet:acme/app", "acme", "app"],
  ["https://GitHub.com/Acme/App", "https://github.com/Acme/App", "Acme", "App"],
  ["https://example.com:8443/acme/app", "https://example.com:8443/acme/app", "acme", "app"],
  ["git@host.example:~me/app", "git@host.example:~me/app", "~me", "app"],
])("%s is hosted", (remote, url, owner, name) => {
  expect(hostedRepository(remote)).toEqual({ url, owner, name });
  expect(isCloneUrl(url)).toBe(true);
});

it.each([
  "/srv/git/app.git",
  "../app",
  "file:///srv/git/app.git",
  "http://example.com/acme/app.git",
  "git://example.com/acme/app.git",
  "ext::sh -c touch% /tmp/pwned",
  "ext::sh",
  "-oProxyCommand=x:y",
  "--upload-pack=touch /tmp/pwned",
  "ssh://-oProxyCommand=touch/x",
  "git@-oProxyCommand:x",
  "git@host:-x",
  "https://",
  "https://github.com/acme/%zz",
  "https://github.com/acme/app\n--upload-pack=x",
  "https://github.com/acme/a b",
  "C:\\repos\\app",
  // git and URL parsers disagree about the host of these.
  "https://allowed.example\\@127.0.0.1:21542/x",
  "https://allowed.example\\x@127.0.0.1/x",
  "ssh://allowed.example\\@127.0.0.1/x",
  "https://allowed.example#@127.0.0.1/x",
  "https://allowed.example?@127.0.0.1/x",
  "https://allowed.example/x?y",
  "https://allowed.example/x#y",
  "https:///allowed.example/x",
  "https:/\\allowed.example/x",
  "https://allowed.example/a/../x",
  "https://allowed.example/%2e%2e/x",
  "https://0x7f000001/x",
  "https://2130706433/x",
  "https://127.1/x",
  "https://ａllowed.example/x",
  "https://allowed.example:443/x",
  "ssh://allowed.example%2f.other.example/x",
  "git@allowed.example\\@127.0.0.1:x",
  // No host has such a name.
  "javascript:alert(1)",
  "data:text/html,x",
  "mailto:me@example.com",
  "intranet:acme/app",
  "",
])("%j is neither hosted nor cloned", (remote) => {
  expect(hostedRepository(remote)).toBeUndefined();
  expect(isCloneUrl(remote)).toBe(false);
});

it("a URL with credentials is refused, not stripped and tried", () => {
  expect(isCloneUrl("https://user:pw@github.com/acme/app.git")).toBe(false);
  expect(isCloneUrl("https://token@github.com/acme/app.git")).toBe(false);
  expect(isCloneUrl("ssh://git:pw@github.com/acme/app.git")).toBe(false);
});

it("nothing that begins like an option, and no transport helper, is ever accepted", () => {
  const nasty = fc.oneof(
    fc.string().map((rest) => `-${rest}`),
    fc.tuple(fc.constantFrom("ext", "fd", "file"), fc.string()).map(([helper, rest]) => `${helper}::${rest}`),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(nasty, (url) => {
      if (url.startsWith("-") || url.includes("::")) expect(isCloneUrl(url)).toBe(false);
      hostedRepository(url);
    }),
  );
});
