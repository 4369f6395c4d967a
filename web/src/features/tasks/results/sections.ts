import type { HostResult, TaskStatus } from '@signalbox/contract';
import type { SectionView } from '../log/section-row.tsx';
import {
  badHostCount,
  countResults,
  hostCount,
  isBad,
  type Play,
  playStyle,
  type Run,
  type Step,
  stepStyle,
  wasRescued,
} from './run-model.ts';

/** Translates a text with counts; `key` is a catalogue key. */
export type Translate = (key: string, values: Record<string, string | number>) => string;

const RESULT_TEXTS: Readonly<Record<HostResult, string>> = {
  failed: 'result.failed',
  unreachable: 'result.unreachable',
  changed: 'result.changed',
  ok: 'result.ok',
  ignored: 'result.ignored',
  skipped: 'result.skipped',
};

/** The counts of a step as text, failures first. */
const stepSummary = (run: Run, step: Step, translate: Translate): string => {
  const taken = step.hosts.filter(
    ({ host, result, rescued }) => isBad(result) && (rescued === true || wasRescued(run, host)),
  );
  const counts = step.counts ?? countResults(step.hosts.filter((outcome) => !taken.includes(outcome)));
  const rescued = step.counts?.rescued ?? taken.length;
  return [
    ...(Object.keys(RESULT_TEXTS) as HostResult[])
      .filter((result) => counts[result])
      .map((result) => translate(RESULT_TEXTS[result], { count: counts[result] ?? 0 })),
    ...(rescued > 0 ? [translate('result.rescued', { count: rescued })] : []),
  ].join(', ');
};

const playSummary = (play: Play, translate: Translate): string =>
  `${translate('run.steps', { count: play.steps.length })}, ${translate('run.hosts', { count: play.hosts })}`;

/** Headers of the log in the order of their lines, with their values. */
export const logSections = (run: Run, status: TaskStatus, translate: Translate): SectionView[] => {
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
      summary: playSummary(play, translate),
      start: play.at,
      end: play.end,
      ...playStyle(run, play, status),
    });
    for (const step of play.steps) {
      add({
        kind: 'step',
        id: `step-${step.step}`,
        line: step.line,
        name: step.name,
        summary: stepSummary(run, step, translate),
        start: step.at,
        end: step.end,
        ...stepStyle(run, step, status),
      });
    }
  }
  const { recap } = run;
  if (recap) {
    add({
      kind: 'play',
      id: 'recap',
      line: recap.line,
      name: translate('run.recap', {}),
      summary: translate('run.hosts', { count: hostCount(run) }),
      start: recap.at,
      end: recap.at,
      colour: badHostCount(run) > 0 ? 'error' : 'ok',
      shape: badHostCount(run) > 0 ? 'cross' : 'check',
    });
  }
  return sections;
};
