/**
 * Whether HTML is only text, and elements that show it, with attributes that run and load nothing. The viewer writes
 * such rows. DOMPurify would take as long for them as all the rest of the drawing.
 */
export const isPlain = (html: string): boolean =>
  /^(?:[^<]|<\/(?:div|span)>|<(?:div|span)(?: (?:data-[a-z-]+|style|class|slot)(?:="[^"<>]*")?)*>)*$/.test(
    html,
  );
