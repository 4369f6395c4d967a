import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { statisticsQuery } from '../../../api/queries.ts';
import { Busiest } from './busiest.tsx';
import css from './charts.module.css';
import { DurationsChart } from './durations-chart.tsx';
import { OutcomesChart } from './outcomes-chart.tsx';

/** Charts of the last days of a project; nothing before the first task has ended. */
export const Charts = ({ project, days }: { project: number; days?: number }) => {
  const { t } = useTranslation();
  const { data } = useQuery(statisticsQuery(project, days));
  if (!data || data.templates.length === 0 || data.days.length === 0) return null;
  return (
    <section className={css.charts} aria-labelledby="charts-title">
      <h2 id="charts-title">
        {t('charts.title')} <small>{t('charts.days', { count: data.days.length })}</small>
      </h2>
      <div className={css.figures}>
        <OutcomesChart days={data.days} />
        <DurationsChart days={data.days} />
        <Busiest project={project} templates={data.templates} />
      </div>
    </section>
  );
};
