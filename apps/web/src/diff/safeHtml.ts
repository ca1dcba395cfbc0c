/**
 * Whether HTML contains only text, `div` and `span`, with attributes that run no script and load nothing. The viewer's
 * rows do, and skip DOMPurify, which would double the rendering time.
 */
export const isSafeHtml = (html: string): boolean =>
  /^(?:[^<]|<\/(?:div|span)>|<(?:div|span)(?: (?:data-[a-z-]+|style|class|slot)(?:="[^"<>]*")?)*>)*$/.test(
    html,
  );
