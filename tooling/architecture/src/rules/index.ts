import type { Rule } from "../repository";
import { noHandMadeApiCall } from "./apiCalls";
import {
  noCamelCaseNumber,
  noClassOutsideItsFile,
  noPrivateModifier,
  noSleepByAnotherName,
  noSpreadOfLiteral,
  noThrowsWithoutType,
} from "./codeStyle";
import { noStatementWithoutTest } from "./contract";
import { noLargeCycle } from "./cycles";
import { noForbiddenDependency } from "./dependencies";
import { noWideDocument } from "./documents";
import { noEnvironmentOutsideEnv, noUnlistedVariable } from "./environment";
import { noErrorCast } from "./errors";
import { noImportBetweenFeatures } from "./features";
import { noImportBothWays } from "./folderPairs";
import { noImportAgainstFolderOrder } from "./folders";
import { noUnlistedApiFolder, noUnlistedFolder } from "./folderTable";
import { noKeyHandlerWithoutOnKeys } from "./keyHandlers";
import { noLibraryOutsideItsPackage } from "./libraries";
import { noHostInLockfile } from "./lockfile";
import { noPackageWithoutReadme, noVersionOutsideCatalog } from "./manifests";
import { noContractionWithoutRelease } from "./migrations";
import { plainEnglish } from "./plainEnglish";
import { noStatementInProcedure } from "./procedures";
import { noActionByTag, noPromiseWithoutTest } from "./security";
import { noStdoutInMcpServer } from "./stdout";
import { noIncompleteTarball } from "./tarballs";
import { noQueryAcrossOrganizations } from "./tenancy";
import { noEndingRoute, noLoopOverStartedCalls, noPatternWithoutFile, noSkippedTest } from "./tests";
import { noTimeoutSignal } from "./timeouts";

/** The rules of the repository, by name. */
export const rules = {
  noForbiddenDependency,
  noImportAgainstFolderOrder,
  noImportBothWays,
  noStatementInProcedure,
  noLargeCycle,
  noImportBetweenFeatures,
  noKeyHandlerWithoutOnKeys,
  noLibraryOutsideItsPackage,
  noHandMadeApiCall,
  noEnvironmentOutsideEnv,
  noUnlistedVariable,
  noStdoutInMcpServer,
  noTimeoutSignal,
  noSkippedTest,
  noPatternWithoutFile,
  noLoopOverStartedCalls,
  noEndingRoute,
  noPackageWithoutReadme,
  noUnlistedFolder,
  noUnlistedApiFolder,
  noIncompleteTarball,
  noVersionOutsideCatalog,
  noContractionWithoutRelease,
  noHostInLockfile,
  noActionByTag,
  noPromiseWithoutTest,
  noQueryAcrossOrganizations,
  noStatementWithoutTest,
  noThrowsWithoutType,
  noCamelCaseNumber,
  noSleepByAnotherName,
  noSpreadOfLiteral,
  noPrivateModifier,
  noClassOutsideItsFile,
  noErrorCast,
  plainEnglish,
  noWideDocument,
} satisfies Record<string, Rule>;
