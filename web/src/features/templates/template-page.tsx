import type { Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, isMissing } from '../../api/api-error.ts';
import { roleQuery, templateQuery, templateTasksQuery, viewsQuery } from '../../api/queries.ts';
import { listText } from '../../lang/locale.ts';
import { mayWith } from '../../ui/access/permissions.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import type { PagedState } from '../../ui/lists/list-state.ts';
import { Pager } from '../../ui/lists/pager.tsx';
import { SkeletonRows } from '../../ui/lists/skeleton-rows.tsx';
import table from '../../ui/lists/table.module.css';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Breadcrumb } from '../../ui/page/breadcrumb.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { NotFoundNotice } from '../../ui/page/not-found-notice.tsx';
import { Bar, EmptyState, PageHeader } from '../../ui/page/page.tsx';
import { shownStatus } from '../../ui/tasks/status.ts';
import { StatusLabel } from '../../ui/tasks/status-icon.tsx';
import { TaskBy, Version } from '../../ui/tasks/task-cells.tsx';
import { Duration } from '../../ui/time/times.tsx';
import { AgainLink, RunLink } from './run-link.tsx';
import { TemplateActions } from './template-actions.tsx';
import detailsCss from './template-details.module.css';
import { TemplateDetails } from './template-details.tsx';
import css from './templates.module.css';

const PAGE_SIZE = 20;

type TasksProps = Pick<TemplatePageProps, 'project' | 'template' | 'state' | 'onState'>;

const Tasks = ({ project, template, state, onState }: TasksProps) => {
  const { t } = useTranslation();
  const mayRun = mayWith(useQuery(roleQuery(project)).data, template, 'run');
  const query = useQuery(templateTasksQuery(project, template));
  const tasks = query.data ?? [];
  const page = Math.min((state.page ?? 1) - 1, Math.max(0, Math.ceil(tasks.length / PAGE_SIZE) - 1));
  const failed = query.error ? <LoadError text={errorText(query.error)} retry={() => void query.refetch()} /> : null;
  if (failed && query.data === undefined) return failed;
  if (query.isSuccess && tasks.length === 0)
    return <EmptyState title={t('status.none')} text={t('template.noTasks')} />;
  return (
    <>
      {failed}
      <div className={css.tasksHead}>
        <h2>{t('template.tasks')}</h2>
        <Pager
          page={page}
          size={PAGE_SIZE}
          count={tasks.length}
          more={false}
          onPage={(to) => onState({ page: to === 0 ? undefined : to + 1 })}
        />
      </div>
      <div className={table.scroll}>
        <table className={`${table.table} ${table.cards} ${css.tasks}`} aria-busy={query.isPending}>
          <thead>
            <tr>
              <th scope="col" className={css.last_task}>
                {t('column.task')}
              </th>
              <th scope="col" className={css.status}>
                {t('column.status')}
              </th>
              <th scope="col" className={css.version}>
                {t('column.version')}
              </th>
              <th scope="col" className={css.message}>
                {t('column.message')}
              </th>
              <th scope="col" className={`${css.outcomes} ${table.num}`}>
                {t('column.duration')}
              </th>
              <th scope="col" className={css.run}>
                <span className="sr">{t('column.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {query.isPending ? <SkeletonRows columns={6} /> : null}
            {tasks.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map((task) => (
              <tr key={task.id} className={css.row} data-task={task.id}>
                <td className={css.last_task}>
                  <TaskBy task={task} />
                </td>
                <td className={css.status}>
                  <StatusLabel status={shownStatus(task)} />
                  {task.dry_run ? <small className={detailsCss.mode}>{t('newTask.dryRun')}</small> : null}
                </td>
                <td className={css.version}>
                  <Version task={task} />
                </td>
                <td className={`${css.message} cut`} title={task.message}>
                  {task.message}
                </td>
                <td className={`${css.outcomes} ${table.num}`}>
                  <Duration start={task.start} end={task.end} />
                </td>
                <td className={css.run}>{mayRun ? <AgainLink template={template} task={task.id} /> : null}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

export interface TemplatePageProps {
  /** The menu next to the run button. */
  RunMenu: ComponentType<{ template: Template }>;
  /** Where the time of the runs goes. */
  Times: ComponentType<{ template: Template }>;
  project: number;
  template: number;
  view: number | undefined;
  state: PagedState;
  onState: (change: PagedState) => void;
  onDeleted: () => void;
}

/** A template: its values and tasks. */
export const TemplatePage = (props: TemplatePageProps) => {
  const { project, template, view, state, onState, onDeleted, RunMenu, Times } = props;
  const { t } = useTranslation();
  const query = useQuery(templateQuery(project, template));
  const isDeleted = isMissing(query.error);
  const mayRun = mayWith(useQuery(roleQuery(project)).data, template, 'run');
  const { data: views } = useQuery({ ...viewsQuery(project), enabled: view !== undefined });
  const viewTitle = views?.find(({ id }) => id === view)?.title;
  const params = { projectId: project };
  return (
    <>
      <Breadcrumb>
        <Link to="/project/$projectId/templates" params={params} search={{}}>
          {t('templates.title')}
        </Link>
        {viewTitle === undefined || view === undefined ? null : (
          <Link
            title={viewTitle}
            to="/project/$projectId/views/$viewId/templates"
            params={{ ...params, viewId: view }}
            search={{}}
          >
            {viewTitle}
          </Link>
        )}
      </Breadcrumb>
      <PageHeader title={isDeleted ? t('notFound.title') : (query.data?.name ?? t('template.title'))}>
        {query.data ? <TemplateActions view={view} template={query.data} onDeleted={onDeleted} /> : null}
        {query.data && mayRun ? <RunLink template={query.data} variant="primary" /> : null}
        {query.data && mayRun ? <RunMenu template={query.data} /> : null}
      </PageHeader>
      {query.error && !isDeleted ? (
        <Bar>
          <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      {query.data?.description ? (
        <div className={detailsCss.description}>
          <Alert colour="wait">
            <Markdown text={query.data.description} />
          </Alert>
        </div>
      ) : null}
      {query.data && query.data.lost_at_import.length > 0 ? (
        <div className={detailsCss.description}>
          <Alert colour="stop">{t('template.lost', { fields: listText(query.data.lost_at_import) })}</Alert>
        </div>
      ) : null}
      {isDeleted ? (
        <NotFoundNotice what="template">
          <Link to="/project/$projectId/templates" params={params} search={{}}>
            {t('notFound.templates')}
          </Link>
        </NotFoundNotice>
      ) : (
        <>
          {query.data ? <TemplateDetails template={query.data} /> : null}
          <Tasks project={project} template={template} state={state} onState={onState} />
          {query.data ? <Times template={query.data} /> : null}
        </>
      )}
    </>
  );
};
