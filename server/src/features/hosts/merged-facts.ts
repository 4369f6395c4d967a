import type { HostFactValues } from '@signalbox/contract';

/** Facts of which a gather has all or none: those of the mounts, and those of the interfaces. */
const kindOf = (name: string): string => /^(?:mount|interface) /.exec(name)?.[0] ?? name;

/** Facts after a gather, which may have been of a subset: facts of kinds that it does not have stay as they were. */
export const mergedFacts = (before: HostFactValues, gathered: HostFactValues): HostFactValues => {
  const kinds = new Set(Object.keys(gathered).map(kindOf));
  const kept = Object.entries(before).filter(([name]) => !kinds.has(kindOf(name)));
  return { ...Object.fromEntries(kept), ...gathered };
};
