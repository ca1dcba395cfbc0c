import { safeHref } from "../ui/safeHref";

/** A repository's name, as a link if its address is that of a page. */
export function RepositoryName({ url, name }: { url: string; name: string }) {
  const href = safeHref(url);
  return href ? (
    <a href={href} target="_blank" rel="noopener noreferrer" className="wrap-anywhere hover:underline">
      <bdi>{name}</bdi>
    </a>
  ) : (
    <bdi className="wrap-anywhere">{name}</bdi>
  );
}
