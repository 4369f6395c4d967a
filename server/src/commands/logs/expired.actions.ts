import { unfixedRuns } from '../../features/failures/unfixed-runs.ts';
import { readExpired } from '../../features/retention/expired-sizes.ts';
import { print, printJson } from '../terminal.ts';
import { withState } from '../with-state.ts';
import { openLogs } from './logs.actions.ts';

const number = new Intl.NumberFormat('en');

const counted = (count: number, noun: string): string => `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

const sizeText = (bytes: number): string => {
  const step = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), UNITS.length - 1);
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${UNITS[step]}`;
};

/** Prints what the next sweep of retention would remove. Removes nothing. */
export const expired = ({ json }: { readonly json?: boolean }): Promise<void> =>
  withState(async (database, config) => {
    const { logs, close } = openLogs(config, database, undefined);
    try {
      const sources = { database, unfixedRuns: (templateId: number) => unfixedRuns(database, templateId) };
      const found = await readExpired(sources, logs, config.retention, new Date());
      if (json) return printJson(found);
      print(
        found.tasks + found.logs === 0
          ? 'Nothing to remove.'
          : `Would remove ${counted(found.logs, 'log')} and ${counted(found.tasks, 'task')}, ${sizeText(found.bytes)}.`,
      );
    } finally {
      await close();
    }
  });
