import type { TaskStatus } from '@signalbox/contract';

/** The values of a task that a bar shows. */
export interface Outcome {
  readonly status: TaskStatus;
  readonly start: string | null;
  readonly end: string | null;
}

export interface Bar {
  readonly kind: 'ok' | 'error' | 'stop' | 'active' | 'none';
  readonly y: number;
  readonly height: number;
}

const COUNT = 10;
const LINE = 14;
const LOWEST = 4;

const seconds = ({ start, end }: Outcome): number =>
  start === null || end === null ? 0 : (new Date(end).getTime() - new Date(start).getTime()) / 1000;

/**
 * The bars of the last ten tasks, newest last, on a canvas of height 24 with a base line at 14. Successful tasks stand
 * on the line with a height proportional to their duration, failed ones hang below it, stopped ones lie across it,
 * running ones are hollow, and missing ones are dots.
 */
export const outcomeBars = (newestFirst: readonly Outcome[]): Bar[] => {
  const shown = newestFirst.slice(0, COUNT).toReversed();
  const longest = Math.max(...shown.map(seconds), 1);
  const bars = shown.map((outcome): Bar => {
    if (outcome.status === 'error') return { kind: 'error', y: LINE + 1, height: 8 };
    if (outcome.status === 'stopped') return { kind: 'stop', y: LINE - 3, height: 6 };
    if (outcome.status === 'waiting') return { kind: 'none', y: LINE - 1, height: 3 };
    if (outcome.status !== 'success') return { kind: 'active', y: LINE - 9.25, height: 8.5 };
    const height = LOWEST + Math.round((seconds(outcome) / longest) * (LINE - LOWEST - 1));
    return { kind: 'ok', y: LINE - height, height };
  });
  const missing = Array.from({ length: COUNT - bars.length }, (): Bar => ({ kind: 'none', y: LINE - 1, height: 3 }));
  return [...missing, ...bars];
};
