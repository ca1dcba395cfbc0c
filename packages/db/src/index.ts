export { BackupError, type BackupHeader, type Progress, type SealedSample } from "./backup/format";
export { type CheckedBackup, openBackup, restoreBackup } from "./backup/restore";
export { addBackup, listBackups } from "./backup/rotation";
export { type Describe, writeBackup } from "./backup/write";
export { type BatchOptions, batch, batchedStatement, type Measure } from "./batch";
export { announceToDevice, type DeviceWake, deviceNotification, parseDeviceWake } from "./deviceWake";
export { ownWaitMs, runAsCaller } from "./engines/fairQueue";
export { templateName } from "./engines/pglite/template";
export {
  ConnectionTimeoutError,
  DataDirectoryLockedError,
  describeUnavailable,
  isForeignKeyViolation,
  isLockTimeout,
  isNotBegun,
  isSerializationFailure,
  isStatementTimeout,
  isUnavailable,
  isUniqueViolation,
  isUnknownTimeZone,
  MigrationError,
  NestedQueryError,
  TransactionAbortedError,
} from "./errors";
export { examineServer, ReadOnlyError, type ServerFacts } from "./examineServer";
export { endGates, gateWorkspaceId, startGates } from "./gateCommands";
export { firstIdAt, newId, timeOfId } from "./ids";
export { lockWithin } from "./lockWithin";
export type { Log } from "./log";
export {
  ALL_KEYS,
  type Channel,
  channels,
  type Notifier,
  type NotifierEvent,
  type NotifierListener,
  notification,
  notify,
} from "./notifier";
export { type Engine, type GroveDatabase, type OpenOptions, openDatabase } from "./open";
export {
  addPartitions,
  databaseTime,
  defaultPartition,
  dropPartition,
  inRecentWeeks,
  olderOpenCommands,
  type Partition,
  type Partitioned,
  partitionsOf,
  recentWeeks,
  weekRange,
} from "./partitions";
export { PoolerError } from "./pooler";
export {
  cancelCommands,
  type SettledCommand,
  type Settling,
  settleCommands,
  settledParams,
} from "./settleCommands";
export type * from "./tables";
export { insertTaskStatuses } from "./taskStatuses";
