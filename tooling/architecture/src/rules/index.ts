import type { Rule } from "../house";
import { keepsToArrows } from "./arrows";
import { environmentIsListed, environmentOnlyInEnv } from "./environment";
import { lockfileNamesNoHost } from "./lockfile";
import { oneVersionOfEach, packagesPresentThemselves } from "./manifests";
import { modulesInTheirRooms } from "./modules";
import { stdoutIsTheTransports } from "./stdout";
import { tarballsAreWhole } from "./tarballs";
import { everyTestRuns } from "./tests";
import { noCallsByHand } from "./wire";

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
