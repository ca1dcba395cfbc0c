import type { Rule } from "../repository";
import { noCallsByHand } from "./apiCalls";
import { keepsToArrows } from "./dependencies";
import { environmentIsListed, environmentOnlyInEnv } from "./environment";
import { lockfileNamesNoHost } from "./lockfile";
import { oneVersionOfEach, packagesPresentThemselves } from "./manifests";
import { modulesInTheirRooms } from "./modules";
import { stdoutIsTheTransports } from "./stdout";
import { tarballsAreWhole } from "./tarballs";
import { everyTestRuns } from "./tests";

/** The rules of the house, by what a house that keeps them does. */
export const rules = {
  keepsToArrows,
  modulesInTheirRooms,
  noCallsByHand,
  environmentOnlyInEnv,
  environmentIsListed,
  stdoutIsTheTransports,
  everyTestRuns,
  packagesPresentThemselves,
  tarballsAreWhole,
  oneVersionOfEach,
  lockfileNamesNoHost,
} satisfies Record<string, Rule>;
