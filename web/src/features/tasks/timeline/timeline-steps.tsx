import type { RunTimeline, TimelineStep } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import table from '../../../ui/lists/table.module.css';
import { durationText } from '../../../ui/time/time.ts';
import css from './timeline.module.css';
import { shareOf } from './timeline-model.ts';

export interface TimelineStepsProps {
  timeline: RunTimeline;
  /** Whether the log exists, so that the name of a step opens it. */
  hasLog: boolean;
  onLine: (line: number) => void;
  onOpen: (host: number, step: number) => void;
}

/** A shorter wait is not shown. */
const SHOWN_MS = 500;

interface RowProps extends Omit<TimelineStepsProps, 'timeline'> {
  step: TimelineStep;
  total: number;
}

const Row = ({ step, total, hasLog, onLine, onOpen }: RowProps) => {
  const { t } = useTranslation();
  const { slowest } = step;
  const share = shareOf(step, total);
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          className={css.link}
          disabled={!hasLog || step.line === 0}
          onClick={() => onLine(step.line)}
        >
          {step.name}
        </button>
      </th>
      <td className={table.num}>{durationText(step.end - step.at)}</td>
      <td className={table.num}>{t('timeline.percent', { percent: numberText(share) })}</td>
      <td>
        {slowest ? (
          <>
            <button type="button" className={css.link} onClick={() => onOpen(slowest.number, step.step)}>
              {slowest.host}
            </button>{' '}
            <small>{durationText(slowest.ms)}</small>
          </>
        ) : null}
      </td>
      <td className={table.num} data-label={t('timeline.waited')}>
        {step.waited < SHOWN_MS ? '–' : durationText(step.waited)}
      </td>
    </tr>
  );
};

/** The timeline as a table: each step with its slowest host, and how long the other hosts waited for it. */
export const TimelineSteps = ({ timeline, ...events }: TimelineStepsProps) => {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className={css.steps} tabIndex={0} aria-label={t('timeline.steps')}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('timeline.step')}</th>
            <th scope="col" className={table.num}>
              {t('timeline.time')}
            </th>
            <th scope="col" className={table.num}>
              {t('timeline.share')}
            </th>
            <th scope="col">{t('timeline.slowest')}</th>
            <th scope="col" className={table.num}>
              {t('timeline.waited')}
            </th>
          </tr>
        </thead>
        <tbody>
          {timeline.steps.map((step) => (
            <Row key={step.step} step={step} total={timeline.ms} {...events} />
          ))}
        </tbody>
      </table>
    </section>
  );
};
