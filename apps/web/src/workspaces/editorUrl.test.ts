import { describe, expect, it } from "vitest";
import { type Editor, editors, editorUrl } from "./editorUrl";

const all = Object.keys(editors) as Editor[];
const urls = (location: { path: string; sshHost?: string; isSameMachine?: boolean }) =>
  all.map((editor) => editorUrl(editor, { isSameMachine: false, ...location }));

describe("the URL that opens a directory", () => {
  it("is only the path on the same machine", () => {
    expect(urls({ path: "/home/ada/app", isSameMachine: true })).toEqual([
      "vscode://file/home/ada/app",
      "cursor://file/home/ada/app",
      "zed://file/home/ada/app",
      "idea://open?file=/home/ada/app",
    ]);
  });

  it("has the ssh host of another machine, which not every editor supports", () => {
    const expected = [
      "vscode://vscode-remote/ssh-remote+ada@laptop/home/ada/app",
      "cursor://vscode-remote/ssh-remote+ada@laptop/home/ada/app",
      "zed://ssh/ada@laptop/home/ada/app",
      undefined,
    ];
    expect(urls({ path: "/home/ada/app", sshHost: "ada@laptop" })).toEqual(expected);
    // Local mode, used from another machine through a tunnel.
    expect(urls({ path: "/home/ada/app", sshHost: "ada@laptop", isSameMachine: true })).toEqual(expected);
  });

  it("has the line of a file", () => {
    const location = { path: "/app/a.ts", line: 12, isSameMachine: true };
    expect(editorUrl("vscode", location)).toBe("vscode://file/app/a.ts:12");
    expect(editorUrl("idea", location)).toBe("idea://open?file=/app/a.ts&line=12");
    expect(editorUrl("zed", { ...location, sshHost: "laptop" })).toBe("zed://ssh/laptop/app/a.ts:12");
  });

  it("escapes special characters", () => {
    expect(editorUrl("vscode", { path: "/a b/é?x=1#y&z/%2e+", isSameMachine: true })).toBe(
      "vscode://file/a%20b/%C3%A9%3Fx%3D1%23y%26z/%252e%2B",
    );
    expect(editorUrl("zed", { path: "C:\\Users\\ada", isSameMachine: true })).toBe(
      "zed://file/C%3A/Users/ada",
    );
    expect(editorUrl("vscode", { path: "/a", sshHost: "x/y?z", isSameMachine: false })).toBe(
      "vscode://vscode-remote/ssh-remote+x%2Fy%3Fz/a",
    );
  });

  it("does not exist for another machine without a host, nor for a relative path", () => {
    expect(new Set(urls({ path: "/home/ada/app" }))).toEqual(new Set([undefined]));
    for (const path of ["", "app", "../app", "javascript:alert(1)", "\\\\host\\share"])
      expect(new Set(urls({ path, isSameMachine: true })), path).toEqual(new Set([undefined]));
  });
});
