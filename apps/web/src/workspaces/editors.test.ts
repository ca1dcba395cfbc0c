import { describe, expect, it } from "vitest";
import { type Editor, editors, editorUrl } from "./editors";

const all = Object.keys(editors) as Editor[];
const urls = (place: { path: string; sshHost?: string; here?: boolean }) =>
  all.map((editor) => editorUrl(editor, { here: false, ...place }));

describe("the address that opens a directory", () => {
  it("is the path alone on this machine", () => {
    expect(urls({ path: "/home/ada/app", here: true })).toEqual([
      "vscode://file/home/ada/app",
      "cursor://file/home/ada/app",
      "zed://file/home/ada/app",
      "idea://open?file=/home/ada/app",
    ]);
  });

  it("names the ssh host of another machine, which not every editor understands", () => {
    const expected = [
      "vscode://vscode-remote/ssh-remote+ada@laptop/home/ada/app",
      "cursor://vscode-remote/ssh-remote+ada@laptop/home/ada/app",
      "zed://ssh/ada@laptop/home/ada/app",
      undefined,
    ];
    expect(urls({ path: "/home/ada/app", sshHost: "ada@laptop" })).toEqual(expected);
    // Through a tunnel, local mode is looked at from elsewhere.
    expect(urls({ path: "/home/ada/app", sshHost: "ada@laptop", here: true })).toEqual(expected);
  });

  it("escapes whatever a name may contain", () => {
    expect(editorUrl("vscode", { path: "/a b/é?x=1#y&z/%2e+", here: true })).toBe(
      "vscode://file/a%20b/%C3%A9%3Fx%3D1%23y%26z/%252e%2B",
    );
    expect(editorUrl("zed", { path: "C:\\Users\\ada", here: true })).toBe("zed://file/C%3A/Users/ada");
    expect(editorUrl("vscode", { path: "/a", sshHost: "x/y?z", here: false })).toBe(
      "vscode://vscode-remote/ssh-remote+x%2Fy%3Fz/a",
    );
  });

  it("is not there for another machine without a host, nor for a path that begins nowhere", () => {
    expect(new Set(urls({ path: "/home/ada/app" }))).toEqual(new Set([undefined]));
    for (const path of ["", "app", "../app", "javascript:alert(1)", "\\\\host\\share"])
      expect(new Set(urls({ path, here: true })), path).toEqual(new Set([undefined]));
  });
});
