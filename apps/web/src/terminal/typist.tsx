import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { VisibleName } from "../ui/visibleName";

interface TypistProps {
  organizationId: string;
  typistId: string;
  /** Whether the current user types, too. */
  isTyping: boolean;
}

/** Names another user who types into the terminal, because both users' keys reach the same program. */
export function Typist({ organizationId, typistId, isTyping }: TypistProps) {
  const { data: members } = useQuery(queries.organization.listMembers.queryOptions({ organizationId }));
  const name = members?.find(({ userId }) => userId === typistId)?.name ?? "Another user";
  return (
    <span className="text-sm text-warn">
      <VisibleName>{name}</VisibleName> is typing{isTyping && " too"}
    </span>
  );
}
