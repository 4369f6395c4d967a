import type { TaskComparison } from '@signalbox/contract';
import { MAX_COMPARED_HOSTS } from '@signalbox/contract/limits';
import { alignSteps, type NamedStep } from './aligned-steps.ts';
import type { ResultIndex } from './result-index.ts';
import { stepsOf } from './result-pages.ts';

/** Number of first steps of a run that are compared. */
const MAX_STEPS = 5000;
/** Number of hosts of a run up to which they are compared. */
const MAX_HOSTS = 20_000;

/** Which steps to return, by number from 1. */
export interface ComparedPage {
  readonly first: number;
  readonly limit: number;
  /** Whether only steps that differ or are slower are returned and counted by `first`. */
  readonly onlyDifferent: boolean;
}

export type ComparedRuns = Pick<TaskComparison, 'hosts' | 'total' | 'different' | 'steps'>;

const collator = new Intl.Collator('en', { numeric: true });

/** The names of the hosts of a run; none for a run whose results were removed, and for one with too many. */
const hostsOf = (index: ResultIndex | undefined): readonly string[] =>
  index === undefined || index.hosts.length > MAX_HOSTS ? [] : index.hosts.map(({ host }) => host);

/** The first steps of a run, with the names of their plays. */
export const namedSteps = (index: ResultIndex | undefined): readonly NamedStep[] => {
  if (!index) return [];
  const names = new Map(index.plays.map(({ play, name }) => [play, name]));
  return stepsOf(index, 1, MAX_STEPS).steps.map((step) => ({ ...step, playName: names.get(step.play) ?? '' }));
};

/** Hosts with results in one of two runs only. */
const changedHosts = (earlier: readonly string[], later: readonly string[]): TaskComparison['hosts'] => {
  if (earlier.length === 0 || later.length === 0) return null;
  const [before, after] = [new Set(earlier), new Set(later)];
  const added = later.filter((host) => !before.has(host)).sort(collator.compare);
  const removed = earlier.filter((host) => !after.has(host)).sort(collator.compare);
  return {
    added: added.slice(0, MAX_COMPARED_HOSTS),
    added_count: added.length,
    removed: removed.slice(0, MAX_COMPARED_HOSTS),
    removed_count: removed.length,
    same_count: later.length - added.length,
  };
};

/** Compares the steps and hosts of two runs. A run whose results were removed has none. */
export const compareRuns = (
  earlier: ResultIndex | undefined,
  later: ResultIndex | undefined,
  { first, limit, onlyDifferent }: ComparedPage,
): ComparedRuns => {
  const pairs = alignSteps(namedSteps(earlier), namedSteps(later));
  const different = pairs.filter(({ differs, slower }) => differs || slower);
  return {
    hosts: changedHosts(hostsOf(earlier), hostsOf(later)),
    total: pairs.length,
    different: different.length,
    steps: (onlyDifferent ? different : pairs).slice(first - 1, first - 1 + limit),
  };
};
