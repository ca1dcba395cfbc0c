import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { VisibleName } from "../ui/visibleName";

interface TypingUserProps {
  organizationId: string;
  typingUserId: string;
  /** Whether the current user types, too. */
  isTyping: boolean;
}

/** Names another user who types into the terminal, because both users' keys reach the same program. */
export function TypingUser({ organizationId, typingUserId, isTyping }: TypingUserProps) {
  const { data: members } = useQuery(queries.organization.listMembers.queryOptions({ organizationId }));
  const name = members?.find(({ userId }) => userId === typingUserId)?.name ?? "Another user";
  return (
    <span className="text-sm text-warn">
      <VisibleName>{name}</VisibleName> is typing{isTyping && " too"}
    </span>
  );
}
