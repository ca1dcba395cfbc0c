import type { Rule } from "../repository";

/** A docstring names the type of what a function throws: `@throws {GroveError} NOT_FOUND for an unknown id`. */
export const noThrowsWithoutType: Rule = ({ packages }) =>
  packages
    .flatMap(({ sources }) => sources)
    .flatMap(({ path, comments }) =>
      comments
        .filter(({ text }) => /@throws\b(?! \{\w+\})/.test(text))
        .map(({ line }) => `${path}:${line}: after @throws comes a type in braces`),
    );
