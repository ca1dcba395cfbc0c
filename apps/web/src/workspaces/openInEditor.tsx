import type { Device } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, SquareArrowOutUpRight } from "lucide-react";
import { useRef, useState } from "react";
import { authQuery } from "../lib/api";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { Button, buttonClass, IconButton } from "../ui/button";
import { Menu, MenuRadioGroup } from "../ui/menu";
import { showToast } from "../ui/showToast";
import { chooseEditor, chosenEditor, type Editor, editors, editorUrl } from "./editorUrl";

const options = (Object.keys(editors) as Editor[]).map((value) => ({ value, title: editors[value] }));

/** Opens the directory in the chosen editor, or copies the path if the editor cannot open it by URL. */
export function OpenInEditor({ path, device }: { path: string; device: Device | undefined }) {
  const { data: session } = useQuery(authQuery);
  const [editor, setEditor] = useState(chosenEditor);
  const button = useRef<HTMLButtonElement & HTMLAnchorElement>(null);
  useShortcuts({
    title: "Workspace",
    scope: "page",
    shortcuts: [{ keys: "e", title: "Open in editor", run: () => button.current?.click() }],
  });
  // In local mode, only browsers on this machine reach the API.
  const location = { path, sshHost: device?.sshHost, isSameMachine: session?.local === true };
  const url = editorUrl(editor, location);
  const copy = () =>
    void navigator.clipboard.writeText(path).then(() =>
      showToast({
        title: "Copied the path.",
        description: location.sshHost
          ? `${editors[editor]} cannot open a directory on another machine by URL.`
          : "To open it from here, the device's owner must set its SSH host on the device's page.",
      }),
    );
  return (
    <span className="flex">
      {url === undefined ? (
        <Button ref={button} onClick={copy}>
          Copy the path
        </Button>
      ) : (
        <a ref={button} href={url} className={buttonClass()}>
          <SquareArrowOutUpRight aria-hidden="true" className="size-4" />
          Open in {editors[editor]}
        </a>
      )}
      <Menu
        align="end"
        trigger={
          <IconButton label="Choose the editor">
            <ChevronDown aria-hidden="true" className="size-4" />
          </IconButton>
        }
      >
        <MenuRadioGroup
          title="Open workspaces in"
          value={editor}
          options={options}
          onChange={(next) => {
            chooseEditor(next);
            setEditor(next);
          }}
        />
      </Menu>
    </span>
  );
}
