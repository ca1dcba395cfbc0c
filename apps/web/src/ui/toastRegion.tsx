import { Toast } from "@base-ui/react/toast";
import { visibleName } from "@grove/schemas";
import { X } from "lucide-react";
import { useEffect } from "react";
import { buttonClass, IconButton } from "./button";
import { connectToasts, SHOWN_MS, type ToastContent } from "./showToast";

const manager = Toast.createToastManager();

function add({ title, description, action }: ToastContent): () => void {
  const id = manager.add({
    title: visibleName(title),
    ...(description !== undefined && { description: visibleName(description) }),
    timeout: SHOWN_MS,
    ...(action && {
      actionProps: {
        children: action.title,
        onClick: () => {
          manager.close(id);
          action.onSelect();
        },
      },
    }),
  });
  return () => manager.close(id);
}

export function ToastRegion() {
  // Effects of children run first, so the provider already listens to the manager.
  useEffect(() => connectToasts(add), []);
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-30 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2">
          <Messages />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

const Messages = () =>
  Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="rounded-lg border border-line bg-raised shadow-pop transition-opacity data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-3 py-2 pr-2 pl-3.5">
        <div className="flex min-w-0 flex-1 flex-col gap-0.5 py-1">
          <Toast.Title className="wrap-anywhere font-medium text-sm" />
          <Toast.Description className="wrap-anywhere text-muted text-sm" />
        </div>
        {toast.actionProps && <Toast.Action className={buttonClass()} />}
        {/* Base UI hides the close button of a covered toast. Here, toasts do not cover each other. */}
        <Toast.Close
          aria-hidden={false}
          render={
            <IconButton label="Dismiss">
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          }
        />
      </Toast.Content>
    </Toast.Root>
  ));
