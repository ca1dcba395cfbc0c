import { type ComponentProps, Suspense } from "react";
import { lazily } from "../lib/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";

// Each dialog's code is loaded when it is first opened.
const Menu = lazily(async () => (await import("./taskMenu")).TaskMenu);
const Form = lazily(async () => (await import("./newTask")).NewTask);
const Import = lazily(async () => (await import("./importIssue")).ImportIssue);
const Delegation = lazily(async () => (await import("./delegation/form")).DelegationForm);
const Progress = lazily(async () => (await import("./delegation/progress")).DelegationProgress);

export const TaskMenu = (props: ComponentProps<typeof Menu>) => (
  <Suspense fallback={<HoldKeys />}>
    <Menu {...props} />
  </Suspense>
);

export const NewTask = (props: ComponentProps<typeof Form>) => (
  <Suspense fallback={<HoldKeys />}>
    <Form {...props} />
  </Suspense>
);

export const ImportIssue = (props: ComponentProps<typeof Import>) => (
  <Suspense fallback={<HoldKeys />}>
    <Import {...props} />
  </Suspense>
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
