export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Returns the key labels of a shortcut on this platform: "Ctrl" and "K"; "g" and "d". */
const keyLabels = (keys: string): string[] =>
  keys.split(" ").flatMap((key) => {
    if (!key.startsWith("mod+")) return [key];
    return [isMac ? "⌘" : "Ctrl", key.slice("mod+".length).toUpperCase()];
  });

export const KeyCaps = ({ keys }: { keys: string }) => (
  <span className="inline-flex shrink-0 items-center gap-1">
    {keyLabels(keys).map((word, index) => (
      <kbd
        // biome-ignore lint/suspicious/noArrayIndexKey: the keys of a shortcut never change their order.
        key={index}
        className="min-w-5 rounded border border-edge/60 px-1 text-center font-mono text-muted text-xs leading-5"
      >
        {word}
      </kbd>
    ))}
  </span>
);
