import type { HostTemplate, Template } from '@signalbox/contract';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import table from '../../../ui/lists/table.module.css';
import { StatusLabel } from '../../../ui/tasks/status-icon.tsx';
import { TaskLink } from '../../../ui/tasks/task-cells.tsx';
import { Ago } from '../../../ui/time/times.tsx';
import { DayLegend, DayStrip } from './day-strip.tsx';
import css from './host.module.css';
import { OutcomeLabel } from './outcome-label.tsx';
import { resultText } from './result-text.ts';

interface RowProps {
  project: number;
  item: HostTemplate;
  name: string;
  /** Task of the template in which the host is silent now. */
  silent: number | undefined;
}

const Row = ({ project, item, name, silent }: RowProps) => {
  const { t } = useTranslation();
  const text = resultText(t, item);
  return (
    <tr>
      <th scope="row" className={css.name}>
        <Link
          className={table.name}
          to="/project/$projectId/templates/$templateId"
          params={{ projectId: project, templateId: item.template_id }}
          search={{}}
          title={name}
        >
          {name}
        </Link>
      </th>
      <td className={css.status}>
        {silent === undefined ? <OutcomeLabel outcome={item.outcome} /> : <StatusLabel status="running" />}
      </td>
      <td className={css.message} title={text}>
        {text}
      </td>
      <td className={css.task}>
        {silent !== undefined ? (
          <TaskLink id={silent} />
        ) : item.task_id === null ? null : (
          <TaskLink id={item.task_id} />
        )}{' '}
        {silent === undefined ? <Ago at={item.time} /> : t('hostPage.now')}
      </td>
      <td className={css.days}>
        <DayStrip days={item.days} />
      </td>
    </tr>
  );
};

export interface HostTemplatesProps {
  project: number;
  templates: readonly HostTemplate[];
  named: readonly Pick<Template, 'id' | 'name'>[];
  /** Tasks in which the host is silent now, by their templates. */
  silent: ReadonlyMap<number, number>;
}

/** How each template last ended on the host, with the last 30 days. What failed is first. */
export const HostTemplates = ({ project, templates, named, silent }: HostTemplatesProps) => {
  const { t } = useTranslation();
  const isBad = ({ outcome }: HostTemplate) => outcome === 'failed' || outcome === 'unreachable';
  const sorted = templates.toSorted((a, b) => Number(isBad(b)) - Number(isBad(a)));
  return (
    <section aria-labelledby="host-templates">
      <div className={css.sectionHead}>
        <h2 id="host-templates">
          {t('hostPage.templates')} <small>{templates.length}</small>
        </h2>
        <DayLegend />
      </div>
      {templates.length === 0 ? (
        <p className="muted">{t('hostPage.noTemplates')}</p>
      ) : (
        <div className={table.scroll}>
          <table className={`${table.table} ${table.cards} ${css.templates}`}>
            <thead>
              <tr>
                <th scope="col" className={css.name}>
                  {t('template.title')}
                </th>
                <th scope="col" className={css.status}>
                  {t('hostPage.lastResult')}
                </th>
                <th scope="col" className={css.message}>
                  <span className="sr">{t('column.message')}</span>
                </th>
                <th scope="col" className={css.task}>
                  {t('column.task')}
                </th>
                <th scope="col" className={css.days}>
                  {t('hostPage.lastDays')}
                </th>
              </tr>
            </thead>
            <tbody>
              {sorted.map((item) => (
                <Row
                  key={item.template_id}
                  project={project}
                  item={item}
                  name={named.find(({ id }) => id === item.template_id)?.name ?? ''}
                  silent={silent.get(item.template_id)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};
