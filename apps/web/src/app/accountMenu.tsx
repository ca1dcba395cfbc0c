import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { LogOut } from "lucide-react";
import { Menu, MenuChoice, MenuItem, MenuLine } from "../ui/menu";
import { auth, endSession } from "./api";
import { setTheme, themes, useTheme } from "./theme";
import { useUser } from "./useOrganization";

/** The person who is signed in: theme and sign-out. */
export function AccountMenu() {
  const user = useUser();
  const theme = useTheme();
  const navigate = useNavigate();
  const signOut = useMutation({
    mutationFn: () => auth.signOut(),
    onSuccess: () => endSession(() => navigate({ to: "/sign-in" })),
  });
  const trigger = (
    <button
      type="button"
      className="flex h-10 w-full cursor-pointer items-center gap-2 rounded-md px-2 text-left transition-colors hover:bg-hover data-popup-open:bg-hover"
    >
      <span
        aria-hidden="true"
        className="flex size-6 items-center justify-center rounded-full bg-accent-soft font-medium text-accent text-xs"
      >
        {initials(user.name)}
      </span>
      <span className="min-w-0 flex-1 truncate">
        <span className="sr-only">Account: </span>
        <bdi>{user.name}</bdi>
      </span>
    </button>
  );
  return (
    <Menu trigger={trigger}>
      <p className="truncate px-2 pt-1.5 pb-1 text-muted text-xs">{user.email}</p>
      <MenuLine />
      <MenuChoice title="Theme" value={theme} options={themes} onChange={setTheme} />
      <MenuLine />
      <MenuItem onSelect={() => signOut.mutate()}>
        <LogOut aria-hidden="true" className="size-4" />
        Sign out
      </MenuItem>
    </Menu>
  );
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");
