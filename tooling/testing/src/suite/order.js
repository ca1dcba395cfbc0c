import { BaseSequencer } from "vitest/node";

/**
 * Starts the files whose paths end in one of these before the others of their project, in this order. A suite lists the
 * files that take long and mostly wait: started last, they would keep a machine waiting that has nothing else to do.
 * @param {string[]} files
 * @returns {import("vitest/node").TestSequencerConstructor}
 */
export const startingWith = (files) =>
  class extends BaseSequencer {
    /** @override @param {import("vitest/node").TestSpecification[]} specifications */
    async sort(specifications) {
      const rank = (/** @type {import("vitest/node").TestSpecification} */ { moduleId }) =>
        files.findIndex((file) => moduleId.endsWith(`/${file}`)) + 1 || files.length + 1;
      const sorted = await super.sort(specifications);
      // The projects stay in their order: a worker is for one of them.
      const projects = [...new Set(sorted.map(({ project }) => project))];
      return projects.flatMap((project) =>
        sorted.filter((one) => one.project === project).sort((a, b) => rank(a) - rank(b)),
      );
    }
  };
