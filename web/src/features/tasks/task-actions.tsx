import { FINAL_STATUSES } from 'virtual:routes';
import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { callUrl } from '../../api/call.ts';
import { roleQuery } from '../../api/queries.ts';
import { numberText } from '../../lang/locale.ts';
import { mayWith } from '../../ui/access/permissions.ts';
import { Button, IconButton, iconButtonClass } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { failedLimit } from './hosts/host-limit.ts';
import { RunOnHosts } from './hosts/run-on-hosts.tsx';
import { KeepButton } from './keep-button.tsx';
import { badHostCount, hostCount, type Run } from './results/run-model.ts';
import { StopButton } from './stop-button.tsx';
import css from './task-head.module.css';

export interface TaskActionsProps {
  task: Task | undefined;
  run: Run;
  project: number;
  id: number;
  /** True if the task does not exist, so that no button can link to it. */
  isMissing: boolean;
  /** Whether to show the link to the task's own page. */
  fullPage: boolean;
  onRunAgain: (task: number, template: number, limit?: string) => void;
  onClose: (() => void) | undefined;
}

/** Buttons of a task in its current status. On phones the most important ones are at the bottom of the screen. */
export const TaskActions = (props: TaskActionsProps) => {
  const { task, run, project, id, isMissing, fullPage, onRunAgain, onClose } = props;
  const { t } = useTranslation();
  const { data: role } = useQuery(roleQuery(project));
  const final = task !== undefined && (FINAL_STATUSES as readonly string[]).includes(task.status);
  const bad = badHostCount(run);
  const mayRun = task !== undefined && mayWith(role, task.template_id, 'run');
  const mayRetry = mayRun && final && bad > 0;
  const params = { project_id: project, task_id: id };
  const copyLink = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href);
      showToast('ok', t('task.copied'));
    } catch {
      showToast('error', t('task.notCopied'));
    }
  };
  return (
    <div className={css.actions}>
      <div className={css.main} data-retry={mayRetry || undefined}>
        {task && mayRetry ? (
          <RunOnHosts
            variant="primary"
            label={t('task.runOnFailed', { bad: numberText(bad), total: numberText(hostCount(run)) })}
            limit={() => failedLimit(params, run)}
            onRun={(limit) => onRunAgain(task.id, task.template_id, limit)}
          />
        ) : null}
        {task && !final && mayWith(role, task.template_id, 'stop') ? <StopButton task={task} /> : null}
        {task && mayRun ? (
          <Button
            icon="again"
            disabled={!final}
            title={final ? undefined : t('task.againWhenEnded')}
            onClick={() => onRunAgain(task.id, task.template_id)}
          >
            {t('task.again')}
          </Button>
        ) : null}
      </div>
      {isMissing ? null : (
        <>
          <span className={css.separator} />
          <span className={css.tools}>
            {task && mayWith(role, task.template_id, 'edit') ? <KeepButton task={task} /> : null}
            <IconButton icon="link" label={t('task.copyLink')} onClick={() => void copyLink()} />
            {task?.log_removed ? null : (
              <a
                className={iconButtonClass()}
                href={callUrl('getTaskText', { params })}
                download={`task-${id}.txt`}
                aria-label={t('task.download')}
                data-tooltip={t('task.download')}
              >
                <Icon name="download" />
              </a>
            )}
            {fullPage ? (
              <Link
                className={iconButtonClass()}
                to="/project/$projectId/tasks/$taskId"
                params={{ projectId: project, taskId: id }}
                search={({ tab, line, with: other, step }) => ({
                  ...(tab ? { tab } : {}),
                  ...(line ? { line } : {}),
                  ...(other ? { with: other } : {}),
                  ...(step ? { step } : {}),
                })}
                aria-label={t('task.fullPage')}
                title={t('task.fullPage')}
              >
                <Icon name="full" />
              </Link>
            ) : null}
          </span>
        </>
      )}
      {onClose ? (
        <span className={css.close}>
          <IconButton icon="close" label={t('action.close')} onClick={onClose} />
        </span>
      ) : null}
    </div>
  );
};
