import { stripVTControlCharacters } from 'node:util';
import type { HostRecords, RunHosts, RunSteps } from '@signalbox/contract';
import type { AlertFacts, Findings } from './alert-facts.ts';
import { NO_FINDINGS } from './alert-facts.ts';

/** What is asked of the results and the log of a run. */
export interface RunResults {
  /** Hosts that failed or could not be reached, by trouble. */
  readonly badHosts: (taskId: number, limit: number) => Promise<RunHosts>;
  readonly failures: (taskId: number, limit: number) => Promise<HostRecords>;
  readonly steps: (taskId: number, first: number, limit: number) => Promise<RunSteps>;
  /** The last lines of the log. */
  readonly lastLines: (taskId: number, limit: number) => Promise<readonly string[]>;
}

/** Hosts that are named; the others are counted. */
const HOSTS = 10;
const LAST_LINES = 20;
/** What a message has room for. */
const LONGEST = 600;

/** A text on one line, cut where a message has no room for more. */
export const brief = (text: string, longest = LONGEST): string => {
  const line = stripVTControlCharacters(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const letters = [...line];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line;
};

/** Looks into the results of a run for what people want to know first; nothing for one that succeeded. */
export const findingsOf = async ({ task }: AlertFacts, results: RunResults): Promise<Findings> => {
  if (task.status !== 'error') return NO_FINDINGS;
  const { total, hosts } = await results.badHosts(task.id, HOSTS);
  const { records } = await results.failures(task.id, 1);
  const [first] = records;
  if (!first) {
    const lines = (await results.lastLines(task.id, LAST_LINES)).map((line) => brief(line));
    const last_line = lines.findLast((line) => line !== '') ?? '';
    return { ...NO_FINDINGS, hosts: hosts.map(({ host }) => brief(host, 255)), hosts_total: total, last_line };
  }
  const { steps } = await results.steps(task.id, first.step, 1);
  return {
    hosts: hosts.map(({ host }) => brief(host, 255)),
    hosts_total: total,
    first_error: {
      host: brief(first.host, 255),
      step: brief(steps[0]?.name ?? '', 255),
      message: brief(first.message),
    },
    last_line: '',
  };
};
