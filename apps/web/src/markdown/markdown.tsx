import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { safeHref } from "../ui/safeHref";
import "./markdown.css";

/** The page has its own headings above these. No image is loaded: its address would learn who looks. */
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

/** A text in Markdown from outside. HTML in it is shown as text; links lead to http and https only. */
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
