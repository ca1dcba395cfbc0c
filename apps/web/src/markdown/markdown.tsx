import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { safeHref } from "../ui/safeHref";
import "./markdown.css";

/** Headings are two levels lower, below those of the page. Images are not loaded, because they could track viewers. */
const components: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  img: ({ alt }) => <span>[{alt === undefined || alt === "" ? "image" : alt}]</span>,
  input: ({ checked }) => <span className="font-mono">{checked ? "[x] " : "[ ] "}</span>,
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
};

/** Renders untrusted Markdown. HTML is shown as text, and only http and https links work. */
export const Markdown = ({ text }: { text: string }) => (
  <div className="markdown" dir="auto">
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      urlTransform={(url) => safeHref(url) ?? ""}
      components={components}
    >
      {text}
    </ReactMarkdown>
  </div>
);
