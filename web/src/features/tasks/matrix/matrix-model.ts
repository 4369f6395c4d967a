import { shownText } from './matrix-cell.ts';
import type { Column, StepColumn } from './matrix-columns.ts';
import { type Block, type KeyedHost, sortableName } from './matrix-groups.ts';
import type { MatrixHost } from './matrix-host.ts';
import { elsewhere, type TargetedHosts } from './matrix-plays.ts';

/** The step that a run works on, and who may work on it. */
export interface RunningStep {
  /** Its position in the run. */
  readonly position: number;
  /** Position of the first step of its play. */
  readonly first: number;
  /** Whether the play targets every host of the run. */
  readonly isForAll: boolean;
  /** Names of the hosts of the play; undefined if they are unknown. */
  readonly names: ReadonlySet<string> | undefined;
}

/** Whether a host works on the running step: its play targets it, it has not failed, and it has no result so far. */
const isRunning = ({ host, cells, isBad }: MatrixHost, running: RunningStep): boolean => {
  if (isBad || (cells[running.position] ?? '.') !== '.') return false;
  if (running.names) return running.names.has(host);
  return running.isForAll || /[^.]/.test(cells.slice(running.first, running.position));
};

const blockOf = (host: MatrixHost, running: RunningStep | undefined): Block => {
  if (host.isBad) return 'bad';
  if (running && isRunning(host, running)) return 'running';
  return /[^.]/.test(host.cells) ? 'done' : 'waiting';
};

const isSame = (a: RunningStep | undefined, b: RunningStep | undefined): boolean =>
  a === b ||
  (a?.position === b?.position && a?.first === b?.first && a?.isForAll === b?.isForAll && a?.names === b?.names);

/** Hosts between two pauses. */
const SLICE = 50;

/** Remembers what each host shows, so that only hosts with new results are worked on. */
export class HostKeys {
  /** By the numbers of the hosts. */
  #of: KeyedHost[] = [];
  #columns: readonly Column[] = [];
  #plays: readonly TargetedHosts[] = [];
  #running: RunningStep | undefined;

  *keyed(
    hosts: readonly MatrixHost[],
    columns: readonly Column[],
    running: RunningStep | undefined,
    plays: readonly TargetedHosts[],
  ): Generator<void, readonly KeyedHost[]> {
    if (columns !== this.#columns || plays !== this.#plays || !isSame(running, this.#running)) {
      this.#of = [];
      this.#columns = columns;
      this.#plays = plays;
      this.#running = running;
    }
    const of = this.#of;
    const keyed: KeyedHost[] = [];
    let work = 0;
    for (const host of hosts) {
      const known = host.number > 0 ? of[host.number] : undefined;
      if (known?.host === host) {
        keyed.push(known);
        continue;
      }
      work += 1;
      if (work % SLICE === 0) yield;
      const block = blockOf(host, running);
      const one = {
        ...{ host, block, name: sortableName(host.host) },
        shown: shownText(host, columns, block === 'running' ? running?.position : undefined, elsewhere(host, plays)),
        isFailed: host.isBad && host.cells.includes('f'),
        isUnreachable: host.isBad && host.cells.includes('u'),
      };
      of[host.number] = one;
      keyed.push(one);
    }
    return keyed;
  }
}

/** Whether a host has results in two batches of a play, which therefore are no batches. */
export const hasConflict = (hosts: readonly MatrixHost[], steps: readonly StepColumn[]): boolean => {
  const shared = steps.filter(({ positions }) => positions.length > 1);
  return (
    shared.length > 0 &&
    hosts.some(({ cells }) =>
      shared.some(({ positions }) => positions.filter((position) => (cells[position] ?? '.') !== '.').length > 1),
    )
  );
};
