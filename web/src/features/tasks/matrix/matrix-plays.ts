import type { Run } from '../results/run-model.ts';
import type { MatrixHost } from './matrix-host.ts';

/** A play of a run: the positions of its steps, and which hosts it targets. */
export interface TargetedHosts {
  readonly first: number;
  /** The position after its last step. */
  readonly end: number;
  /** Names of the hosts; undefined if they are unknown. */
  readonly names: ReadonlySet<string> | undefined;
  /** Whether it targets every host of the run. */
  readonly isForAll: boolean;
  /** Whether its first step has ended, so that each of its hosts that still works has a result in it. */
  readonly isAnswered: boolean;
}

/** The plays of a run, in the order of their steps. */
export const targetedHosts = (run: Run): TargetedHosts[] => {
  const total = run.long?.hosts.total ?? run.hosts.length;
  const positions = new Map(run.steps.map((step, at) => [step, at]));
  return run.plays.flatMap(({ steps, names, hosts }) => {
    const [first, last] = [steps[0], steps.at(-1)].map((step) => step && positions.get(step));
    if (first === undefined || last === undefined) return [];
    return {
      ...{ first, end: last + 1, names: names && new Set(names) },
      ...{ isForAll: hosts >= total, isAnswered: steps[0]?.end !== undefined },
    };
  });
};

/**
 * Whether a play does not target a host. If the names of its hosts are unknown, this is a host without a failure that
 * has no result in the play.
 */
const isElsewhere = ({ host, cells, isBad }: MatrixHost, play: TargetedHosts): boolean => {
  if (play.names) return !play.names.has(host);
  if (play.isForAll || !play.isAnswered || isBad) return false;
  return !/[^.]/.test(cells.slice(play.first, play.end));
};

/** A test for the positions of steps whose play does not target a host. */
export const elsewhere = (host: MatrixHost, plays: readonly TargetedHosts[]): ((position: number) => boolean) => {
  const others = plays.filter((play) => isElsewhere(host, play));
  return (position) => others.some(({ first, end }) => first <= position && position < end);
};
