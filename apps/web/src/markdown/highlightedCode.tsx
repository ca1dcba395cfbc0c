import { useEffect, useState } from "react";
import { type HighlightedLine, highlightCode } from "../diff/highlightCode";

interface HighlightedCodeProps {
  code: string;
  /** The name of the language in the Markdown source. */
  language: string;
}

/** Code in the colours of its language. Plain until the language is loaded, and if it is unknown. */
export function HighlightedCode({ code, language }: HighlightedCodeProps) {
  const [lines, setLines] = useState<HighlightedLine[]>();
  useEffect(() => {
    let isCurrent = true;
    void highlightCode(code, language)
      // Without its grammar, the code stays plain.
      .catch(() => undefined)
      .then((highlighted) => isCurrent && setLines(highlighted));
    return () => {
      isCurrent = false;
    };
  }, [code, language]);
  if (!lines) return code;
  return lines.map((tokens, at) => [
    at > 0 && "\n",
    ...tokens.map(({ content, offset, color }) => (
      <span key={offset} style={{ color }}>
        {content}
      </span>
    )),
  ]);
}
