/**
 * Describes a value of the page as JSON, and in words where JSON cannot express it. At most `limit` characters: neither
 * a model nor this process should take everything that a page can hold.
 */
export default function describeValue(value: unknown, limit: number): string {
  const visited = new Set<unknown>();
  let remaining = limit;

  const take = (text: string): string => {
    remaining -= text.length;
    return text;
  };

  const ofNode = (node: Node): string => {
    if (node.nodeType !== 1) return `[${node.nodeName}]`;
    const element = node as Element;
    const id = element.id ? `#${element.id}` : "";
    const names = [...element.classList].map((name) => `.${name}`).join("");
    const text = (element.textContent ?? "").replace(/\s+/g, " ").trim();
    return `<${element.localName}${id}${names}> ${text.length > 100 ? `${text.slice(0, 100)}…` : text}`.trim();
  };

  const inside = (open: string, close: string, parts: Iterable<string>): string => {
    const shown: string[] = [];
    for (const part of parts) {
      if (remaining <= 0) {
        shown.push('"…"');
        break;
      }
      shown.push(part);
    }
    return `${open}${shown.join(",")}${close}`;
  };

  function* items(list: Iterable<unknown>): Iterable<string> {
    for (const item of list) yield describe(item) ?? "null";
  }

  function* members(object: object): Iterable<string> {
    for (const key of Object.keys(object)) {
      let text: string | undefined;
      try {
        text = describe(Reflect.get(object, key));
      } catch (error) {
        text = JSON.stringify(`[getter failed: ${error}]`);
      }
      if (text !== undefined) yield `${take(JSON.stringify(key))}:${text}`;
    }
  }

  // A DataView is a view that cannot be iterated.
  const isList = (object: object): object is Iterable<unknown> =>
    Array.isArray(object) ||
    object instanceof Set ||
    object instanceof NodeList ||
    object instanceof HTMLCollection ||
    (ArrayBuffer.isView(object) && Symbol.iterator in object);

  const ofObject = (object: object): string => {
    if (object instanceof Node) return take(JSON.stringify(ofNode(object)));
    if (object instanceof Error) return take(JSON.stringify(object.stack ?? String(object)));
    if (object instanceof RegExp || object instanceof URL) return take(JSON.stringify(String(object)));
    if (object instanceof Promise || object instanceof WeakMap || object instanceof WeakSet)
      return take(JSON.stringify(`[${object.constructor.name}]`));
    if (object instanceof Map) return inside("{", "}", members(Object.fromEntries(object)));
    if (isList(object)) return inside("[", "]", items(object));
    if (object === window) return take('"[Window]"');
    return inside("{", "}", members(object));
  };

  const describe = (item: unknown): string | undefined => {
    if (item === undefined) return undefined;
    if (typeof item === "bigint") return take(JSON.stringify(`${item}n`));
    if (typeof item === "function") return take(JSON.stringify(`[function ${item.name || "anonymous"}]`));
    if (typeof item === "symbol") return take(JSON.stringify(String(item)));
    if (typeof item === "number" && !Number.isFinite(item)) return take(JSON.stringify(String(item)));
    if (typeof item === "string")
      return take(
        JSON.stringify(item.length > remaining ? `${item.slice(0, Math.max(0, remaining))}…` : item),
      );
    if (typeof item !== "object" || item === null) return take(JSON.stringify(item));
    if (visited.has(item)) return take('"[circular]"');
    if (visited.size > 100) return take('"[too deep]"');
    visited.add(item);
    try {
      const toJson: unknown = Reflect.get(item, "toJSON");
      if (typeof toJson === "function" && !(item instanceof Node)) return describe(toJson.call(item));
      return ofObject(item);
    } finally {
      visited.delete(item);
    }
  };

  return describe(value) ?? "undefined";
}
