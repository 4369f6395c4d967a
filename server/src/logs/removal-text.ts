import type { LogRemoval } from '@signalbox/contract';

const SUBJECTS: Readonly<Record<LogRemoval['set_by'], string>> = {
  template: 'logs of this template',
  project: 'logs of this project',
  system: 'logs',
};

/** When and why a log was removed, as one English text. */
export const removalText = (removal: LogRemoval | null): string => {
  if (!removal) return 'The log was removed because it was too old.';
  const { at, days, set_by } = removal;
  return `The log was removed on ${at.slice(0, 10)}: ${SUBJECTS[set_by]} are kept for ${days} ${days === 1 ? 'day' : 'days'}.`;
};
