import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleUserRound, LogOut } from "lucide-react";
import { useUser } from "../hooks/useOrganization";
import { signOut, signOutKey } from "../lib/api";
import { setTheme, themes, useTheme } from "../lib/theme";
import { AnchoredMenu } from "../ui/anchoredMenu";
import { MenuChoice, MenuItem, MenuLine } from "../ui/menu";

/** The current user's menu: account, theme and sign-out. */
export function AccountMenu(at: { anchor: HTMLElement; onClose: () => void }) {
  const user = useUser();
  const theme = useTheme();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationKey: signOutKey,
    mutationFn: () => signOut(() => navigate({ to: "/sign-in" })),
  });
  return (
    <AnchoredMenu {...at}>
      <p className="truncate px-2 pt-1.5 pb-1 text-muted text-xs">{user.email}</p>
      <MenuLine />
      <MenuItem render={<Link to="/account" />}>
        <CircleUserRound aria-hidden="true" className="size-4" />
        Your account
      </MenuItem>
      <MenuLine />
      <MenuChoice title="Theme" value={theme} options={themes} onChange={setTheme} />
      <MenuLine />
      <MenuItem onSelect={() => leave.mutate()}>
        <LogOut aria-hidden="true" className="size-4" />
        Sign out
      </MenuItem>
    </AnchoredMenu>
  );
}
