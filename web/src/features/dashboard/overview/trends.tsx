import type { Trends as TrendsAnswer } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { trendsQuery } from '../../../api/queries.ts';
import { locale, numberText } from '../../../lang/locale.ts';
import { DayChart } from './day-chart.tsx';
import css from './overview.module.css';
import { Section } from './section.tsx';
import { TemplateLink } from './template-link.tsx';

const percentText = ({ success, error }: Pick<TrendsAnswer, 'success' | 'error'>): string =>
  (success / Math.max(1, success + error)).toLocaleString(locale(), { style: 'percent', maximumFractionDigits: 1 });

interface TrendsProps {
  project: number;
  /** Charts of outcomes, durations and the busiest templates. */
  charts: ReactNode;
}

/** How the runs of the last 30 days went, after what needs a person. */
export const Trends = ({ project, charts }: TrendsProps) => {
  const { t } = useTranslation();
  const { data } = useQuery(trendsQuery(project));
  if (!data || data.success + data.error === 0) return null;
  const { before, days, flaky } = data;
  const count = data.success + data.error;
  const dates = days.map(({ day }) => day);
  const commits = days.map((day) => day.commits);
  const changes = days.map((day) => day.changed);
  return (
    <Section id="trends" title={t('overview.trends')}>
      <div className={css.figures}>
        <p>
          <b>{percentText(data)}</b>
          {t('overview.rate', { count, number: numberText(count) })}
          {before.success + before.error > 0 ? (
            <small>{t('overview.rateBefore', { percent: percentText(before) })}</small>
          ) : null}
        </p>
        <p>
          <DayChart days={dates} values={commits} label={t('overview.commits', { counts: commits.join(', ') })} />
          {t('overview.commitsTitle')}
        </p>
        {changes.some((count) => count > 0) ? (
          <p>
            <DayChart
              days={dates}
              values={changes}
              label={t('overview.changes', { counts: changes.map(numberText).join(', ') })}
            />
            {t('overview.changesTitle')}
          </p>
        ) : null}
        {flaky.length === 0 ? null : (
          <div>
            <h3>{t('overview.flaky')}</h3>
            <ul className={css.list}>
              {flaky.map(({ template_id, name, runs, flips }) => (
                <li key={template_id} className={css.flaky}>
                  <TemplateLink project={project} template={template_id} name={name} />
                  <small>
                    {t('overview.flips', { count: flips, number: numberText(flips), runs: numberText(runs) })}
                  </small>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      {charts}
    </Section>
  );
};
