import { MAX_SILENT_HOSTS } from '@signalbox/contract/limits';
import type { WorkingHosts } from '../../times/run-times.ts';
import { hasTrouble, type ResultIndex } from './result-index.ts';

/** The number of the first step of the newest play. */
const firstOfPlay = (index: ResultIndex): number => {
  const { steps } = index;
  let at = steps.length - 1;
  while (steps[at - 1]?.play === steps[at]?.play && at > 0) at -= 1;
  return steps[at]?.step ?? 0;
};

const unanswered = (index: ResultIndex) => {
  const play = index.plays.at(-1);
  const step = index.steps.at(-1);
  if (!play || !step || step.play !== play.play || step.line === 0 || index.recap) return undefined;
  const first = firstOfPlay(index);
  const waiting = new Set(index.playHosts);
  let answered = 0;
  for (const entry of index.hosts) {
    const newest = entry.length === 0 ? 0 : entry.at(entry.length - 1).step;
    const isOut = hasTrouble(entry.stats);
    if (newest === step.step) answered += 1;
    if (newest === step.step || isOut) waiting.delete(entry.host);
    else if (newest >= first) waiting.add(entry.host);
  }
  return { play, step, answered, waiting };
};

/**
 * Returns the hosts of the newest play without a result of its newest step. Undefined after the final counts, and with
 * `strategy: free`, where each host is at another step.
 */
export const workingHosts = (index: ResultIndex): WorkingHosts | undefined => {
  const found = unanswered(index);
  if (!found) return undefined;
  const { play, step, answered, waiting } = found;
  return {
    ...{ step: step.step, name: step.name, line: step.line, ofPlay: play.hosts, answered, total: waiting.size },
    hosts: [...waiting].slice(0, MAX_SILENT_HOSTS),
  };
};

/** Whether a host works on this step, the newest one. */
export const isWorkingOn = (index: ResultIndex, step: number, host: string): boolean => {
  const found = unanswered(index);
  return found?.step.step === step && found.waiting.has(host);
};
