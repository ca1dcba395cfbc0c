import type { Member, RecordedField, TaskActivity, TaskFieldChange, TaskStatus } from "@grove/schemas";
import { isPriority, priorities } from "../displayNames";

/** Lists from which the names of changed values are read. */
export interface ActivityNames {
  members: readonly Pick<Member, "userId" | "name">[];
  statuses: readonly Pick<TaskStatus, "key" | "name">[];
  projects: readonly { id: string; name: string }[];
}

/** A piece of a sentence: the console's own words, or a value that someone chose. */
export type Part = string | { value: string };

const fieldNames = {
  title: "title",
  description: "description",
  status: "status",
  priority: "priority",
  assigneeId: "assignee",
  projectId: "project",
  labels: "labels",
  dueDate: "due date",
  estimate: "estimate",
  branch: "branch",
  prUrl: "pull request",
  mergedInto: "base branch",
} satisfies Record<RecordedField, string>;

const longDay = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });

/** Describes changes as the rest of a sentence that begins with the author's name. */
export function describeChanges(changes: NonNullable<TaskActivity["changes"]>, names: ActivityNames): Part[] {
  const clauses = Object.entries(changes).map(([field, change]) =>
    describeChange(field as RecordedField, change, names),
  );
  return clauses.flatMap((clause, index) => {
    if (index === 0) return clause;
    return [index === clauses.length - 1 ? " and " : ", ", ...clause];
  });
}

function describeChange(field: RecordedField, { from, to }: TaskFieldChange, names: ActivityNames): Part[] {
  if (field === "description") return ["changed the description"];
  if (field === "mergedInto")
    return [
      "merged ",
      from === null ? "a fork's branch" : { value: `${from}` },
      " into ",
      { value: `${to}` },
    ];
  if (field === "labels") return describeLabels(listOf(from), listOf(to));
  const [before, after] = [from, to].map((value) => nameOf(field, value, names));
  const name = `the ${fieldNames[field]}`;
  if (before === undefined) return [`set ${name} to `, { value: after ?? "" }];
  if (after === undefined) return [`removed ${name} `, { value: before }];
  return [`changed ${name} from `, { value: before }, " to ", { value: after }];
}

const listOf = (value: TaskFieldChange["from"]): string[] => (Array.isArray(value) ? value : []);

function describeLabels(before: string[], after: string[]): Part[] {
  const clause = (verb: string, labels: string[]): Part[][] =>
    labels.length === 0
      ? []
      : [[`${verb} the label${labels.length === 1 ? "" : "s"} `, { value: labels.join(", ") }]];
  const [first = ["reordered the labels"], second] = [
    ...clause(
      "added",
      after.filter((label) => !before.includes(label)),
    ),
    ...clause(
      "removed",
      before.filter((label) => !after.includes(label)),
    ),
  ];
  return second ? [...first, " and ", ...second] : first;
}

/** The name of a field's value; undefined for none. */
function nameOf(
  field: RecordedField,
  value: TaskFieldChange["from"],
  { members, statuses, projects }: ActivityNames,
): string | undefined {
  if (value === null || (field === "priority" && value === "none")) return undefined;
  const text = `${value}`;
  switch (field) {
    case "status":
      return statuses.find(({ key }) => key === text)?.name ?? text;
    case "priority":
      return isPriority(text) ? priorities[text] : text;
    case "assigneeId":
      return members.find(({ userId }) => userId === text)?.name ?? "A former member";
    case "projectId":
      return projects.find(({ id }) => id === text)?.name ?? "a deleted project";
    case "dueDate":
      return longDay.format(new Date(text));
    default:
      return text;
  }
}

/** The name of an entry's author. */
export function actorName(
  { actorKind, actorId }: Pick<TaskActivity, "actorKind" | "actorId">,
  members: ActivityNames["members"],
): string {
  if (actorKind === "integration") return "Integration";
  const name = members.find(({ userId }) => userId === actorId)?.name;
  if (actorKind === "api_key") return name === undefined ? "A former member's agent" : `${name}'s agent`;
  return name ?? "A former member";
}
