import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Bell, CircleUserRound, LogOut, ShieldCheck } from "lucide-react";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { signOut, signOutKey } from "../lib/api";
import { setTheme, themes, useTheme } from "../lib/browser/theme";
import { AnchoredMenu } from "../ui/anchoredMenu";
import { MenuItem, MenuRadioGroup, MenuSeparator } from "../ui/menu";

/** The current user's menu: account, theme and sign-out. */
export function AccountMenu(props: { anchor: HTMLElement; onClose: () => void }) {
  const user = useUser();
  const { slug: organization } = useOrganization();
  const theme = useTheme();
  const navigate = useNavigate();
  const signOutMutation = useMutation({
    mutationKey: signOutKey,
    mutationFn: () => signOut(() => navigate({ to: "/sign-in" })),
  });
  return (
    <AnchoredMenu {...props}>
      <p className="truncate px-2 pt-1.5 pb-1 text-muted text-xs">{user.email}</p>
      <MenuSeparator />
      <MenuItem render={<Link to="/o/$organization/account" params={{ organization }} />}>
        <CircleUserRound aria-hidden="true" className="size-4" />
        Your account
      </MenuItem>
      <MenuItem render={<Link to="/o/$organization/notifications" params={{ organization }} />}>
        <Bell aria-hidden="true" className="size-4" />
        Notifications
      </MenuItem>
      {user.isAdmin && (
        <MenuItem render={<Link to="/o/$organization/admin" params={{ organization }} />}>
          <ShieldCheck aria-hidden="true" className="size-4" />
          Administration
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuRadioGroup title="Theme" value={theme} options={themes} onChange={setTheme} />
      <MenuSeparator />
      <MenuItem onSelect={() => signOutMutation.mutate()}>
        <LogOut aria-hidden="true" className="size-4" />
        Sign out
      </MenuItem>
    </AnchoredMenu>
  );
}
