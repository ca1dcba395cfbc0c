import { type Change, type DiffOptions, diffArguments } from "./changes";
import type { Compared } from "./compared";
import { pathspec, quoted } from "./rawNames";

/** The most bytes of names on one command line. Systems allow some 128 KiB at least. */
const NAMES_BYTES = 100_000;

/** The output of git for some files. */
export interface Patches {
  /** The patch of a file, one character a byte; undefined if it has none, or git's output was cut before its end. */
  of(change: Change): string | undefined;
  /** The beginning of the patch that was being written when the output was cut. */
  cutIn: { change: Change; bytes: number } | undefined;
  /** The files that were passed to git. The others did not fit on a command line. */
  asked: ReadonlySet<Change>;
}

const headerOf = ({ name, oldName }: Change) =>
  `diff --git ${quoted(`a/${oldName ?? name}`)} ${quoted(`b/${name}`)}`;

/**
 * The patches of some changes, in one run of git.
 * @param enoughBytes git is ended after it has written this much
 * @throws {GitError}
 */
export async function readPatches(
  compared: Compared,
  changes: readonly Change[],
  options: DiffOptions & { enoughBytes: number },
): Promise<Patches> {
  const requestedChanges = new Set<Change>();
  const specs: string[] = [];
  let bytes = 0;
  for (const change of changes) {
    const pathspecs = [change.name, ...(change.oldName === null ? [] : [change.oldName])].map(pathspec);
    bytes += pathspecs.reduce((sum, spec) => sum + Buffer.byteLength(spec), 0);
    if (bytes > NAMES_BYTES && requestedChanges.size > 0) break;
    specs.push(...pathspecs);
    requestedChanges.add(change);
  }
  if (requestedChanges.size === 0) return { of: () => undefined, cutIn: undefined, asked: requestedChanges };
  const { tree, signal, indexFile } = compared;
  const { enoughBytes } = options;
  const output = await tree.git(
    [...diffArguments(compared, options, ["--patch", "--full-index"]), ...specs],
    {
      signal,
      encoding: "latin1",
      enoughBytes,
      ...(indexFile && { indexFile }),
    },
  );
  // No line of a file begins like this: those begin with a space, a plus or a minus.
  const sections = output.split(/^(?=diff --git )/m);
  const cut = output.length >= enoughBytes ? sections.pop() : undefined;
  const byHeader = new Map<string, string>();
  // A file that became a link, or the reverse, has two: one for its end and one for its beginning.
  for (const section of sections) {
    const header = firstLine(section);
    byHeader.set(header, (byHeader.get(header) ?? "") + section);
  }
  const change =
    cut === undefined ? undefined : [...requestedChanges].find((each) => headerOf(each) === firstLine(cut));
  return {
    of: (each) => (each === change ? undefined : byHeader.get(headerOf(each))),
    cutIn: change && cut !== undefined ? { change, bytes: cut.length } : undefined,
    asked: requestedChanges,
  };
}

const firstLine = (section: string): string => section.slice(0, section.indexOf("\n"));
