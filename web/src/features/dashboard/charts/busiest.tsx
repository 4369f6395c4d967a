import type { TaskStatistics } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import { durationText } from '../../../ui/time/time.ts';
import { HeadRow } from './chart-table.tsx';
import css from './charts.module.css';

const SHOWN = 5;
const WIDTH = 80;

export interface BusiestProps {
  project: number;
  templates: TaskStatistics['templates'];
}

/** The templates with the most tasks. Each bar shows the number of tasks: failed in red, successful in green, others grey. */
export const Busiest = ({ project, templates }: BusiestProps) => {
  const { t } = useTranslation();
  const most = Math.max(...templates.map(({ tasks }) => tasks));
  const head = [t('template.title'), t('charts.tasks'), t('charts.failed'), t('charts.usual')];
  return (
    <figure className={css.figure}>
      <figcaption id="charts-busiest">{t('charts.busiest')}</figcaption>
      <table className={css.busiest} aria-labelledby="charts-busiest">
        <HeadRow labels={head} />
        <tbody>
          {templates.slice(0, SHOWN).map(({ template_id, name, tasks, succeeded, failed, seconds }) => {
            const width = Math.max(2, (tasks / most) * WIDTH);
            return (
              <tr key={template_id}>
                <th scope="row">
                  <Link
                    className="two-lines"
                    title={name}
                    to="/project/$projectId/templates/$templateId"
                    params={{ projectId: project, templateId: template_id }}
                    search={{}}
                  >
                    {name}
                  </Link>
                  <svg
                    viewBox={`0 0 ${WIDTH} 6`}
                    preserveAspectRatio="none"
                    className={css.bar}
                    aria-hidden="true"
                    focusable="false"
                  >
                    <rect className={css.others} width={width} height={6} />
                    <rect className={css.success} width={((failed + succeeded) / tasks) * width} height={6} />
                    <rect className={css.error} width={(failed / tasks) * width} height={6} />
                  </svg>
                </th>
                <td>{numberText(tasks)}</td>
                <td className={failed > 0 ? css.error : undefined}>{numberText(failed)}</td>
                <td>{seconds === null ? '–' : durationText(seconds * 1000)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </figure>
  );
};
