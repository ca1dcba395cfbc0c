import type { Rule } from "../repository";
import { noHandMadeApiCall } from "./apiCalls";
import { noForbiddenDependency } from "./dependencies";
import { noEnvironmentOutsideEnv, noUnlistedVariable } from "./environment";
import { noImportAgainstFolderOrder } from "./folders";
import { noCamelCaseNumber, noPrivateModifier, noSleepByAnotherName, noThrowsWithoutType } from "./forms";
import { noKeyHandlerWithoutOnKeys } from "./keys";
import { noHostInLockfile } from "./lockfile";
import { noPackageWithoutReadme, noVersionOutsideCatalog } from "./manifests";
import { noContractionWithoutRelease } from "./migrations";
import { noLibraryOutsideItsPackage } from "./modules";
import { plainEnglish } from "./plainEnglish";
import { noImportBetweenRooms } from "./rooms";
import { noActionByTag, noPromiseWithoutTest } from "./security";
import { noTimeoutSignal } from "./signals";
import { noStdoutInMcpServer } from "./stdout";
import { noIncompleteTarball } from "./tarballs";
import { noSkippedTest } from "./tests";

/** The rules of the repository, by name. */
export const rules = {
  noForbiddenDependency,
  noImportAgainstFolderOrder,
  noImportBetweenRooms,
  noKeyHandlerWithoutOnKeys,
  noLibraryOutsideItsPackage,
  noHandMadeApiCall,
  noEnvironmentOutsideEnv,
  noUnlistedVariable,
  noStdoutInMcpServer,
  noTimeoutSignal,
  noSkippedTest,
  noPackageWithoutReadme,
  noIncompleteTarball,
  noVersionOutsideCatalog,
  noContractionWithoutRelease,
  noHostInLockfile,
  noActionByTag,
  noPromiseWithoutTest,
  noThrowsWithoutType,
  noCamelCaseNumber,
  noSleepByAnotherName,
  noPrivateModifier,
  plainEnglish,
} satisfies Record<string, Rule>;
