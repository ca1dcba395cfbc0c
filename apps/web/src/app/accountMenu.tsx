import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CircleUserRound, LogOut } from "lucide-react";
import { Menu, MenuChoice, MenuItem, MenuLine } from "../ui/menu";
import { auth, endSession } from "./api";
import { AccountButton } from "./menuButtons";
import { setTheme, themes, useTheme } from "./theme";
import { useUser } from "./useOrganization";

/** The person who is signed in: account, theme and sign-out. */
export function AccountMenu({ defaultOpen }: { defaultOpen: boolean }) {
  const user = useUser();
  const theme = useTheme();
  const navigate = useNavigate();
  const signOut = useMutation({
    mutationFn: () => auth.signOut(),
    onSuccess: () => endSession(() => navigate({ to: "/sign-in" })),
  });
  return (
    <Menu trigger={<AccountButton />} defaultOpen={defaultOpen}>
      <p className="truncate px-2 pt-1.5 pb-1 text-muted text-xs">{user.email}</p>
      <MenuLine />
      <MenuItem render={<Link to="/account" />}>
        <CircleUserRound aria-hidden="true" className="size-4" />
        Your account
      </MenuItem>
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
