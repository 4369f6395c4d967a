import type { EndReason } from '@signalbox/contract';
import { z } from 'zod';
import { readPlainFile } from '../../files/plain-file.ts';

/** The callback plugin that keeps a run on its locked hosts. */
export const LOCKS_CALLBACK = 'signalbox_locks';

/** The exit code of a run that the plugin ended before a play with other hosts. */
export const NOT_LOCKED = 97;

/** Maximum bytes of the report. The run user can write anything to it. */
const MAX_REPORT = 4096;

/** The file in which the plugin reports such a host, next to the events of the run. */
const reportOf = (events: string): string => `${events}.unlocked`;

/** The text of the file that the plugin reads. */
export const lockedHostsText = (hosts: readonly string[], events: string): string =>
  JSON.stringify({ all: hosts, report: reportOf(events) });

const Unlocked = z.object({ host: z.string() });

/** Why the plugin ended a run. */
export const unlockedHost = (events: string): EndReason => {
  try {
    const params = Unlocked.parse(JSON.parse(readPlainFile(reportOf(events), MAX_REPORT)));
    return { code: 'hosts.not_locked', params };
  } catch {
    return { code: 'hosts.not_locked', params: { host: '' } };
  }
};
