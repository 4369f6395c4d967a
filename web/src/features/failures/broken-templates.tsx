import { endReasonText } from '@signalbox/lang';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { overviewQuery } from '../../api/queries.ts';
import { useEndReasonTexts } from '../../lang/end-reasons.ts';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';
import { TaskLink } from '../../ui/tasks/task-cells.tsx';
import { Ago } from '../../ui/time/times.tsx';
import css from './failures.module.css';

/** The templates whose last runs failed before they reached a host, so that no failure of a host is listed. */
export const BrokenTemplates = ({ project }: { project: number }) => {
  const { t } = useTranslation();
  const makeText = useEndReasonTexts();
  const { data } = useQuery(overviewQuery(project, undefined));
  const broken = data?.broken ?? [];
  if (broken.length === 0) return null;
  return (
    <section className={css.broken} aria-labelledby="broken-templates">
      <h2 id="broken-templates">{t('failures.broken')}</h2>
      <ul>
        {broken.map(({ template_id, name, task_id, since, end_reason: reason }) => (
          <li key={template_id}>
            <StatusIcon colour="error" shape="cross" />
            <div>
              <Link
                to="/project/$projectId/templates/$templateId"
                params={{ projectId: project, templateId: template_id }}
                search={{}}
              >
                {name}
              </Link>{' '}
              <TaskLink id={task_id} /> <Ago at={since} />
              {reason === null ? null : <p>{endReasonText(makeText, reason) ?? reason.text}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
};
