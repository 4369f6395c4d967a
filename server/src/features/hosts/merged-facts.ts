import type { HostFactValues } from '@signalbox/contract';

/**
 * Facts after a gather, which may have been of a subset: facts that it does not have stay as they were. Mounts are replaced
 * together, and interfaces too.
 */
export const mergedFacts = (before: HostFactValues, gathered: HostFactValues): HostFactValues => ({
  ...before,
  ...gathered,
});
