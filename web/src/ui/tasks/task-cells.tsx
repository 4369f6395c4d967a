import type { Task } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { DialogLink } from '../basics/links.tsx';
import css from '../lists/table.module.css';
import { Ago } from '../time/times.tsx';

type Shown = Pick<Task, 'id' | 'user_name' | 'build_task_id' | 'user_id' | 'webhook_name' | 'token_name'>;

/** Opens the dialog of a task over the current page, or in the dialog of another task. */
export const TaskLink = ({ id }: { id: number }) => (
  <DialogLink
    search={{ t: id, tab: undefined, line: undefined, find: undefined, with: undefined }}
    onClick={(event) => event.stopPropagation()}
  >
    #{id}
  </DialogLink>
);

const startedByText = (t: TFunction, task: Shown): string => {
  if (task.user_name !== '')
    return task.token_name === '' ? task.user_name : t('by.token', { user: task.user_name, token: task.token_name });
  if (task.webhook_name !== '') return t('by.webhook', { name: task.webhook_name });
  return task.build_task_id === null ? t('by.schedule') : t('by.build', { id: task.build_task_id });
};

/** Who started a task: a user, a build, a webhook, or a schedule. The tooltip has the text that a column truncates. */
export const StartedBy = ({ task }: { task: Shown }) => {
  const { t } = useTranslation();
  const text = startedByText(t, task);
  return <span title={text}>{text}</span>;
};

/** Who started a task, with the API token of the user on a line of its own. */
export const StartedByLines = ({ task }: { task: Shown }) => {
  const { t } = useTranslation();
  if (task.user_name === '' || task.token_name === '') return <StartedBy task={task} />;
  return (
    <span title={startedByText(t, task)}>
      {task.user_name} <small className={css.token}>{t('by.tokenAlone', { token: task.token_name })}</small>
    </span>
  );
};

/** Number, author and time of a task in one cell. The author may be truncated, the time is always complete. */
export const TaskBy = ({ task }: { task: Shown & Pick<Task, 'created'> }) => {
  const { t } = useTranslation();
  return (
    <span className={css.by}>
      <TaskLink id={task.id} />
      <span className={css.who}>
        <StartedBy task={task} />
        {t('separator.comma').trim()}
      </span>
      <Ago at={task.created} />
    </span>
  );
};

/** The version of a task, with a link to the build of a deploy task; a dash without a version. */
export const Version = ({ task }: { task: Pick<Task, 'version' | 'id' | 'build_task_id'> | null }) => {
  if (task === null || task.version === null) return <span className="faint">–</span>;
  return (
    <DialogLink className={css.version} search={{ t: task.build_task_id ?? task.id }}>
      {task.version}
    </DialogLink>
  );
};
