import type { Task, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { errorText, isMissing } from '../../api/api-error.ts';
import { errorTextsQuery } from '../../api/error-texts-query.ts';
import { projectSchedulesQuery, roleQuery, taskQuery, templateQuery } from '../../api/queries.ts';
import { savedLaunchesQuery } from '../../api/saved-launches.ts';
import { mayOverride, mayWith } from '../../ui/access/permissions.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { NotFoundNotice } from '../../ui/page/not-found-notice.tsx';
import { limitsOn } from './granted/granted-template.ts';
import css from './new-task.module.css';
import { NewTaskForm } from './new-task-form.tsx';

export interface NewTaskDialogProps {
  project: number;
  template: number;
  /** Task whose answers the form starts with. */
  again: number | undefined;
  /** Id of the saved launch that fills the form. */
  launch?: number | undefined;
  /** Id of the schedule whose values fill the form. */
  schedule?: number | undefined;
  /** Hosts that the form starts with as its limit. */
  limit?: string | undefined;
  /** Field that is focused instead of the message. */
  focus?: 'limit' | undefined;
  onClose: () => void;
  /** Called when the task was created and waits to start. */
  onStarted: (task: number) => void;
}

/** The new task dialog: what will run, the answers, and one button. */
export const NewTaskDialog = (props: NewTaskDialogProps) => {
  const { project, template, again, launch, schedule, limit, focus, onClose, onStarted } = props;
  const { t } = useTranslation();
  const query = useQuery(templateQuery(project, template));
  const role = useQuery(roleQuery(project));
  const earlier = useQuery({ ...taskQuery(project, again ?? 0), enabled: again !== undefined });
  // The form checks answers itself, and its messages come from the texts of the server.
  const texts = useQuery(errorTextsQuery);
  const ready: Template | undefined = query.data;
  const filled: Task | undefined = again === undefined ? undefined : earlier.data;
  const saved = useQuery({ ...savedLaunchesQuery(project, template), enabled: launch !== undefined });
  const schedules = useQuery({ ...projectSchedulesQuery(project), enabled: schedule !== undefined });
  const scheduled = schedules.data?.find(({ id }) => id === schedule);
  const waiting =
    (schedule !== undefined && schedules.isPending) ||
    (again !== undefined && earlier.isPending) ||
    (launch !== undefined && saved.isPending);
  // Grants decide with which values the form starts.
  if (ready && !waiting && !texts.isPending && !role.isPending) {
    return (
      <NewTaskForm
        template={ready}
        earlier={filled}
        scheduled={scheduled?.launch_values}
        saved={saved.data?.find(({ id }) => id === launch)}
        limit={limit}
        focus={focus}
        limits={limitsOn(role.data, ready.id)}
        mayRun={mayWith(role.data, ready.id, 'run')}
        mayShare={mayOverride(role.data, ready.id)}
        onClose={onClose}
        onStarted={onStarted}
      />
    );
  }
  return (
    <Dialog opened onClose={onClose} title={query.data?.name ?? ''} which={t('newTask.which')} width={920}>
      {isMissing(query.error) ? (
        <NotFoundNotice what="template">
          <Link to="/project/$projectId/templates" params={{ projectId: project }} search={{}}>
            {t('notFound.templates')}
          </Link>
        </NotFoundNotice>
      ) : query.error ? (
        <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
      ) : (
        <div className={css.coming} aria-busy="true" />
      )}
    </Dialog>
  );
};
