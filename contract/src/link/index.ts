/** What servers and runners send each other, and what both need to know. Runners load nothing else of the contract. */
export { DEFAULT_APP, versionOf } from '../apps/apps.ts';
export {
  MAX_AUTHOR,
  MAX_CHANGED_FILES,
  MAX_DIFF_BYTES,
  MAX_LISTED_COMMITS,
  MAX_SUBJECT,
} from '../entities/commit-changes.ts';
export { ContainerNetwork, ENGINE_VARIABLES, ImageName } from '../entities/execution-environment.ts';
export { HostFactValues } from '../entities/fact.ts';
export {
  MAX_LISTED_DEPTH,
  MAX_LISTED_FILES,
  MAX_LISTED_PATH,
  MAX_SCANNED_BYTES,
  MAX_SCANNED_FILES,
} from '../entities/repository-access.ts';
export {
  FailureCause,
  HostResult,
  HostStats,
  LoopItems,
  MAX_FAILED_ITEMS,
  MAX_HOST_GROUPS,
  MAX_PLAY_NAMES,
} from '../entities/result.ts';
export { MAX_RECORDED_REQUIREMENTS, MAX_VERSION_TEXT, RunVersions } from '../entities/run-versions.ts';
export { HostLimit } from '../host-limit.ts';
export { EndReason, MAX_REASON_TEXT } from '../messages/end-reasons.ts';
export * from './access.ts';
export * from './job.ts';
export * from './messages.ts';
