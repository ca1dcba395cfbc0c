export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** A shortcut's keys, as they are on this keyboard: "Ctrl" and "K"; "g" and "d". */
const wordsOfKeys = (keys: string): string[] =>
  keys.split(" ").flatMap((key) => {
    if (!key.startsWith("mod+")) return [key];
    return [isMac ? "⌘" : "Ctrl", key.slice("mod+".length).toUpperCase()];
  });

/** The keys of a shortcut, drawn as keys. */
export const KeyCaps = ({ keys }: { keys: string }) => (
  <span className="inline-flex shrink-0 items-center gap-1">
    {wordsOfKeys(keys).map((word, index) => (
      <kbd
        // biome-ignore lint/suspicious/noArrayIndexKey: keys of a shortcut never change their places.
        key={index}
        className="min-w-5 rounded border border-edge/60 px-1 text-center font-mono text-muted text-xs leading-5"
      >
        {word}
      </kbd>
    ))}
  </span>
);
