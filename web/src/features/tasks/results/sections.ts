import type { HostResult, TaskStatus } from '@signalbox/contract';
import type { SectionView } from '../log/section-row.tsx';
import {
  badHostCount,
  countResults,
  hostCount,
  isBad,
  type Play,
  playLook,
  type Run,
  type Step,
  stepLook,
  wasRescued,
} from './run-model.ts';

/** Translates a text with counts; `key` is a catalogue key. */
export type Say = (key: string, values: Record<string, string | number>) => string;

const RESULT_WORDS: Readonly<Record<HostResult, string>> = {
  failed: 'result.failed',
  unreachable: 'result.unreachable',
  changed: 'result.changed',
  ok: 'result.ok',
  ignored: 'result.ignored',
  skipped: 'result.skipped',
};

/** The counts of a step as text, failures first. */
const stepSummary = (run: Run, step: Step, say: Say): string => {
  const taken = step.hosts.filter(
    ({ host, result, rescued }) => isBad(result) && (rescued === true || wasRescued(run, host)),
  );
  const counts = step.counts ?? countResults(step.hosts.filter((outcome) => !taken.includes(outcome)));
  const rescued = step.counts?.rescued ?? taken.length;
  return [
    ...(Object.keys(RESULT_WORDS) as HostResult[])
      .filter((result) => counts[result])
      .map((result) => say(RESULT_WORDS[result], { count: counts[result] ?? 0 })),
    ...(rescued > 0 ? [say('result.rescued', { count: rescued })] : []),
  ].join(', ');
};

const playSummary = (play: Play, say: Say): string =>
  `${say('run.steps', { count: play.steps.length })}, ${say('run.hosts', { count: play.hosts })}`;

/** Headers of the log in the order of their lines, with their values. */
export const logSections = (run: Run, status: TaskStatus, say: Say): SectionView[] => {
  const sections: SectionView[] = [];
  let line = 0;
  const add = (section: SectionView): void => {
    // With `strategy: free` the lines of a step are not contiguous in the log.
    if (section.line < 1) return;
    // Of two sections that start on the same line, the later and more specific one is kept.
    if (section.line === line) sections.pop();
    if (section.line >= line) sections.push(section);
    line = Math.max(line, section.line);
  };
  for (const play of run.plays) {
    add({
      kind: 'play',
      id: `play-${play.play}`,
      line: play.line,
      name: play.name,
      summary: playSummary(play, say),
      start: play.at,
      end: play.end,
      ...playLook(run, play, status),
    });
    for (const step of play.steps) {
      add({
        kind: 'step',
        id: `step-${step.step}`,
        line: step.line,
        name: step.name,
        summary: stepSummary(run, step, say),
        start: step.at,
        end: step.end,
        ...stepLook(run, step, status),
      });
    }
  }
  const { recap } = run;
  if (recap) {
    add({
      kind: 'play',
      id: 'recap',
      line: recap.line,
      name: say('run.recap', {}),
      summary: say('run.hosts', { count: hostCount(run) }),
      start: recap.at,
      end: recap.at,
      lamp: badHostCount(run) > 0 ? 'error' : 'ok',
      shape: badHostCount(run) > 0 ? 'cross' : 'check',
    });
  }
  return sections;
};
