import { roleOf } from "../accessibility/roles";
import { statesOf } from "../accessibility/states";
import { shownValueOf } from "../accessibility/values";
import { refOf } from "../dom/refs";
import { tagOf } from "../dom/tree";
import { firstCharacters } from "../firstCharacters";

/** The properties that a tag alone determines. */
export interface TagKind {
  readonly isSkipped: boolean;
  /** The element's text is one line; elements in it have no line of their own unless they can be used. */
  readonly absorbs: boolean;
  /** The element's line has no text. */
  readonly isGroup: boolean;
  /** The element names its container. */
  readonly isTitle: boolean;
  readonly isHeading: boolean;
  readonly isIcon: boolean;
  /** Only a picture shows the content. */
  readonly isDrawn: boolean;
  /** The element's content is not listed. */
  readonly isClosed: boolean;
}

/** Lines that begin like this need no "clickable": their first word already implies it. */
const interactive = /^(button|a|area|input|select|textarea|summary)\b|:/;

const read = (tag: string): TagKind => ({
  isSkipped: /^(script|style|noscript|template|head|meta|link|option|optgroup)$/.test(tag),
  absorbs: /^(button|a|label|h[1-6]|p|option|summary|th|td|dt|dd|figcaption|pre|text)$/.test(tag),
  isGroup:
    /^(nav|main|form|dialog|table|ul|ol|fieldset|section|aside|header|footer|iframe|menu|details)$/.test(tag),
  isTitle: /^(legend|caption)$/.test(tag),
  isHeading: /^h[1-6]$/.test(tag),
  isIcon: /^(img|svg|canvas|video|audio|embed|object)$/.test(tag),
  isDrawn: /^(canvas|video|audio|embed|object)$/.test(tag),
  isClosed: /^(select|textarea)$/.test(tag),
});

/** Cached, because on a large page these patterns would take longer than the rest. */
const kinds = new Map<string, TagKind>();

export const kindOfTag = (tag: string): TagKind => {
  const knownKind = kinds.get(tag);
  if (knownKind) return knownKind;
  const kind = read(tag);
  kinds.set(tag, kind);
  return kind;
};

const headOf = (element: Element) => {
  const tag = tagOf(element);
  const explicit = element.getAttribute("role") ?? undefined;
  const native = roleOf(element);
  const role =
    explicit ?? (tag === "input" || native === "textbox" || native === "listbox" ? native : undefined);
  const type = tag === "input" ? (element as HTMLInputElement).type : "";
  const kind = type === "" || type === "text" || type === role ? "" : `[${type}]`;
  return `${tag}${kind}${role && role !== tag && tag !== "textarea" && !(kind && role === "textbox") ? `:${role}` : ""}`;
};

const optionsOf = ({ options }: HTMLSelectElement) => {
  const shown = [...options].slice(0, 10).map((option) => JSON.stringify(firstCharacters(option.label, 40)));
  return `of ${shown.join(", ")}${options.length > 10 ? ` … ${options.length - 10} more` : ""}`;
};

/** A selector that distinguishes a field without a name. */
const unnamed = (element: Element) => {
  if (!/^(input|select|textarea)$/.test(element.localName)) return undefined;
  const attribute = ["id", "name"].find((candidate) => element.getAttribute(candidate));
  return (
    attribute &&
    `[${attribute}=${JSON.stringify(firstCharacters(element.getAttribute(attribute) ?? "", 60))}]`
  );
};

/** Builds an element's line without its position, and gives the element a ref. */
export const lineOf = (element: Element, name: string, isControl: boolean): string => {
  const head = headOf(element);
  const parts = [refOf(element), head];
  if (name) parts.push(JSON.stringify(firstCharacters(name, 100)));
  const value = shownValueOf(element);
  if (value && value !== name) parts.push(`=${JSON.stringify(firstCharacters(value, 60))}`);
  if (element.localName === "select") parts.push(optionsOf(element as HTMLSelectElement));
  const attribute = name ? undefined : unnamed(element);
  if (attribute) parts.push(attribute);
  const states = statesOf(element);
  if (isControl && !interactive.test(head)) states.unshift("clickable");
  if (states.length > 0) parts.push(`(${states.join(" ")})`);
  const testId = element.getAttribute("data-testid");
  if (testId) parts.push(`#${firstCharacters(testId, 60)}`);
  return parts.join(" ");
};

/**
 * The line of text that is only read, which needs no ref and no place. It includes the tag if that shows how the text
 * belongs together.
 */
export const plainLine = (tag: string, text: string): string =>
  `${/^(li|tr|td|th|dt|dd|pre|figcaption)$/.test(tag) ? `${tag} ` : ""}${JSON.stringify(firstCharacters(text, 100))}`;
