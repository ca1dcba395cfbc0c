import { safeHref } from "../ui/safeHref";
import { VisibleName } from "../ui/visibleName";

/** The repository's name, as a link if its URL is http(s). */
export function RepositoryName({ url, name }: { url: string; name: string }) {
  const href = safeHref(url);
  return href ? (
    <a href={href} target="_blank" rel="noopener noreferrer" className="wrap-anywhere hover:underline">
      <VisibleName>{name}</VisibleName>
    </a>
  ) : (
    <VisibleName className="wrap-anywhere">{name}</VisibleName>
  );
}
