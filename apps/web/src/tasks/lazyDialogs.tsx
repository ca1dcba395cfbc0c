import { type ComponentProps, Suspense } from "react";
import { lazily } from "../lib/browser/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";
import { VisibleName } from "../ui/visibleName";

// The code of a dialog is loaded when it is first opened.
const Menu = lazily(async () => (await import("./taskMenu")).TaskMenu);
const SelectedMenu = lazily(async () => (await import("./board/selectionMenu")).SelectionMenu);
const Selected = lazily(async () => (await import("./board/taskSelectionBar")).TaskSelectionBar);
const Filter = lazily(async () => (await import("./filter/filterMenu")).FilterMenu);
const Form = lazily(async () => (await import("./newTaskDialog")).NewTaskDialog);
const Import = lazily(async () => (await import("./issueImport/importIssueDialog")).ImportIssueDialog);
const Labels = lazily(async () => (await import("./fields/labelsField")).LabelsField);
const Delegation = lazily(async () => (await import("./delegation/delegationForm")).DelegationForm);
const Progress = lazily(async () => (await import("./delegation/delegationProgress")).DelegationProgress);

export const TaskMenu = (props: ComponentProps<typeof Menu>) => (
  <Suspense fallback={<HoldKeys />}>
    <Menu {...props} />
  </Suspense>
);

export const SelectionMenu = (props: ComponentProps<typeof SelectedMenu>) => (
  <Suspense fallback={<HoldKeys />}>
    <SelectedMenu {...props} />
  </Suspense>
);

export const TaskSelectionBar = (props: ComponentProps<typeof Selected>) => (
  <Suspense>
    <Selected {...props} />
  </Suspense>
);

export const FilterMenu = (props: ComponentProps<typeof Filter>) => (
  <Suspense fallback={<HoldKeys />}>
    <Filter {...props} />
  </Suspense>
);

export const NewTaskDialog = (props: ComponentProps<typeof Form>) => (
  <Suspense fallback={<HoldKeys />}>
    <Form {...props} />
  </Suspense>
);

export const ImportIssueDialog = (props: ComponentProps<typeof Import>) => (
  <Suspense fallback={<HoldKeys />}>
    <Import {...props} />
  </Suspense>
);

export const LabelsField = (props: ComponentProps<typeof Labels>) => (
  <Suspense fallback={<LabelsFallback labels={props.labels} />}>
    <Labels {...props} />
  </Suspense>
);

/** A placeholder with the height of the field that replaces it. */
const LabelsFallback = ({ labels }: { labels: readonly string[] }) => (
  <p className="flex min-h-15 flex-col gap-1.5 text-sm">
    <span className="font-medium">Labels</span>
    <VisibleName>{labels.join(", ")}</VisibleName>
  </p>
);

export const DelegationForm = (props: ComponentProps<typeof Delegation>) => (
  <Suspense fallback={<HoldKeys />}>
    <Delegation {...props} />
  </Suspense>
);

export const DelegationProgress = (props: ComponentProps<typeof Progress>) => (
  <Suspense>
    <Progress {...props} />
  </Suspense>
);
