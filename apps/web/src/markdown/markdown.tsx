import { visibleName } from "@grove/schemas";
import { createContext, type ReactNode, Suspense, useContext } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { lazily } from "../lib/browser/lazily";
import { safeHref } from "../ui/safeHref";
import { type TaskItem, taskItemAt } from "./taskItem";
import "./markdown.css";

const HighlightedCode = lazily(async () => (await import("./highlightedCode")).HighlightedCode);

interface MarkdownProps {
  text: string;
  /** Called with the source in which the user has ticked or unticked an item. Without it, check lists are read-only. */
  onTick?: ((text: string) => void) | undefined;
}

const SourceContext = createContext<MarkdownProps>({ text: "" });
const ItemContext = createContext<TaskItem | undefined>(undefined);

/** The check box of the surrounding item. */
function CheckBox({ checked }: { checked: boolean }) {
  const { onTick } = useContext(SourceContext);
  const item = useContext(ItemContext);
  return (
    <input
      type="checkbox"
      className="mr-1.5 size-4 align-[-0.15em]"
      aria-label={visibleName(item?.title || "Item")}
      checked={item?.isDone ?? checked}
      disabled={!item || !onTick}
      onChange={() => item && onTick?.(item.toggled)}
    />
  );
}

interface ItemProps {
  /** Where the item begins in the source. */
  offset: number | undefined;
  className: string | undefined;
  children: ReactNode;
}

function Item({ offset, ...props }: ItemProps) {
  const { text } = useContext(SourceContext);
  return (
    <ItemContext value={offset === undefined ? undefined : taskItemAt(text, offset)}>
      <li {...props} />
    </ItemContext>
  );
}

/**
 * Headings are two levels lower, so that they are below the page's headings. Images are not loaded, because they could
 * track viewers.
 */
const components: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  img: ({ alt }) => <span>[{alt === undefined || alt === "" ? "image" : alt}]</span>,
  li: ({ node, children, className }) => (
    <Item offset={node?.position?.start.offset} className={className}>
      {children}
    </Item>
  ),
  code: ({ className, children }) => {
    const language = /^language-(.+)$/.exec(className ?? "")?.[1];
    return (
      <code>
        {language === undefined || typeof children !== "string" ? (
          children
        ) : (
          <Suspense fallback={children}>
            <HighlightedCode key={children} code={children} language={language} />
          </Suspense>
        )}
      </code>
    );
  },
  input: ({ checked }) => <CheckBox checked={checked === true} />,
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
export const Markdown = ({ text, onTick }: MarkdownProps) => (
  <SourceContext value={{ text, onTick }}>
    <div className="markdown" dir="auto">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        urlTransform={(url) => safeHref(url) ?? ""}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  </SourceContext>
);
