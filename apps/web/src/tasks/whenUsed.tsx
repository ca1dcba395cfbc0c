import { type ComponentProps, Suspense } from "react";
import { lazily } from "../lib/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";

const Menu = lazily(async () => (await import("./taskMenu")).TaskMenu);
const Form = lazily(async () => (await import("./newTask")).NewTask);
const Import = lazily(async () => (await import("./importIssue")).ImportIssue);
const HandOver = lazily(async () => (await import("./handOverForm")).HandOverForm);
const Progress = lazily(async () => (await import("./handOverProgress")).HandOverProgress);

/** The actions of a task. The code of menus is loaded with the first one that opens. */
export const TaskMenu = (props: ComponentProps<typeof Menu>) => (
  <Suspense fallback={<HoldKeys />}>
    <Menu {...props} />
  </Suspense>
);

/** The form for a new task, loaded when it is opened. */
export const NewTask = (props: ComponentProps<typeof Form>) => (
  <Suspense fallback={<HoldKeys />}>
    <Form {...props} />
  </Suspense>
);

/** The window that makes tasks from issues, loaded when it is opened. */
export const ImportIssue = (props: ComponentProps<typeof Import>) => (
  <Suspense fallback={<HoldKeys />}>
    <Import {...props} />
  </Suspense>
);

/** The form that gives a task to an agent, loaded when it is opened. */
export const HandOverForm = (props: ComponentProps<typeof HandOver>) => (
  <Suspense fallback={<HoldKeys />}>
    <HandOver {...props} />
  </Suspense>
);

/** The progress of a handing over, loaded when one has begun. */
export const HandOverProgress = (props: ComponentProps<typeof Progress>) => (
  <Suspense>
    <Progress {...props} />
  </Suspense>
);
