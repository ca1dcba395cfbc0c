import type { Rule } from "../repository";
import { noHandMadeApiCall } from "./apiCalls";
import { noStatementWithoutTest } from "./contract";
import { noLargeCycle } from "./cycles";
import { noForbiddenDependency } from "./dependencies";
import { noWideDocument } from "./documents";
import { noEnvironmentOutsideEnv, noUnlistedVariable } from "./environment";
import { noErrorCast } from "./errors";
import { noImportAgainstFolderOrder } from "./folders";
import {
  noCamelCaseNumber,
  noClassOutsideItsFile,
  noPrivateModifier,
  noSleepByAnotherName,
  noThrowsWithoutType,
} from "./forms";
import { noKeyHandlerWithoutOnKeys } from "./keys";
import { noUnlistedFolder } from "./layout";
import { noHostInLockfile } from "./lockfile";
import { noPackageWithoutReadme, noVersionOutsideCatalog } from "./manifests";
import { noContractionWithoutRelease } from "./migrations";
import { noLibraryOutsideItsPackage } from "./modules";
import { plainEnglish } from "./plainEnglish";
import { noStatementInProcedure } from "./procedures";
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
  noStatementInProcedure,
  noLargeCycle,
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
  noUnlistedFolder,
  noIncompleteTarball,
  noVersionOutsideCatalog,
  noContractionWithoutRelease,
  noHostInLockfile,
  noActionByTag,
  noPromiseWithoutTest,
  noStatementWithoutTest,
  noThrowsWithoutType,
  noCamelCaseNumber,
  noSleepByAnotherName,
  noPrivateModifier,
  noClassOutsideItsFile,
  noErrorCast,
  plainEnglish,
  noWideDocument,
} satisfies Record<string, Rule>;
