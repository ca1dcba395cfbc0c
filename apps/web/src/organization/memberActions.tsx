import type { Member } from "@grove/schemas";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { AnchoredMenu } from "../ui/anchoredMenu";
import { IconButton } from "../ui/button";
import { MenuItem, MenuSeparator } from "../ui/menu";
import { LeaveDialog, RemoveDialog } from "./endMembershipDialogs";
import { whyCannotChange, whyCannotLeave } from "./permissions";
import { RoleDialog } from "./roleDialog";

interface MemberActionsProps {
  member: Member;
  members: readonly Member[];
}

/** The actions on a membership. An action that the user may not take is disabled, and shows the reason. */
export function MemberActions({ member, members }: MemberActionsProps) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [open, setOpen] = useState<"role" | "end">();
  const user = useUser();
  const { role } = useOrganization();
  const reason = whyCannotChange({ userId: user.id, role }, member, members);
  const isMe = member.userId === user.id;
  const onClose = () => setOpen(undefined);
  return (
    <>
      <IconButton
        label={`Actions for ${member.name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </IconButton>
      {anchor && (
        <AnchoredMenu anchor={anchor} onClose={() => setAnchor(undefined)}>
          <MenuItem reason={reason} onSelect={() => setOpen("role")}>
            Change role
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            danger
            reason={isMe ? whyCannotLeave(member, members) : reason}
            onSelect={() => setOpen("end")}
          >
            {isMe ? "Leave organization" : "Remove"}
          </MenuItem>
        </AnchoredMenu>
      )}
      {open === "role" && <RoleDialog member={member} onClose={onClose} />}
      {open === "end" && isMe && <LeaveDialog onClose={onClose} />}
      {open === "end" && !isMe && <RemoveDialog member={member} onClose={onClose} />}
    </>
  );
}
