import { type DiffFile, visibleName } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { type DiffSource, pictureQuery } from "./source";

/** Whether a file of a diff may be a picture. The device checks its content. */
export const hasPictures = ({ binary, path }: Pick<DiffFile, "binary" | "path">): boolean =>
  binary && /\.(png|jpe?g|gif|webp)$/i.test(path);

/** A picture before and after its changes. */
export const Pictures = ({ source, file }: { source: DiffSource; file: DiffFile }) => (
  <div className="flex flex-wrap gap-4 p-3 font-sans text-sm">
    {(["before", "after"] as const).map((side) => {
      const query = pictureQuery(source, file, side);
      return query && <Picture key={side} query={query} side={side} path={file.path} />;
    })}
  </div>
);

const labels = { before: "Before", after: "After" };

interface PictureProps {
  query: NonNullable<ReturnType<typeof pictureQuery>>;
  side: keyof typeof labels;
  path: string;
}

function Picture({ query, side, path }: PictureProps) {
  const { data, error } = useQuery(query);
  const { image } = data ?? {};
  return (
    <figure className="flex min-w-0 flex-col items-start gap-1">
      <figcaption className="text-muted">{labels[side]}</figcaption>
      {image ? (
        <img
          src={`data:${image.mediaType};base64,${image.base64}`}
          alt={visibleName(`${path}, ${side} the changes`)}
          className="max-h-80 max-w-full border border-line bg-raised"
        />
      ) : (
        <p className="text-muted">
          {error ? "Could not load the picture." : data ? "This picture cannot be previewed." : "Loading…"}
        </p>
      )}
    </figure>
  );
}
