import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { roleQuery, userQuery } from '../../../api/queries.ts';
import { mayWith } from '../../../ui/access/permissions.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import css from './approval.module.css';
import { ApprovalForm } from './approval-form.tsx';

type Approved = Pick<Task, 'approval' | 'approval_starter' | 'user_name'>;

/** Whether only someone else than the user may approve a task. */
const useIsOwn = ({ approval, approval_starter }: Approved): boolean => {
  const { data: user } = useQuery(userQuery());
  return approval === 'other' && approval_starter !== null && approval_starter === user?.id;
};

/** Who must approve a task, as text. */
export const useApprovalText = (task: Approved): string => {
  const { t } = useTranslation();
  const isOwn = useIsOwn(task);
  if (isOwn) return t('approval.own');
  if (task.approval !== 'other' || task.approval_starter === null) return t('approval.needsAnyone');
  return task.user_name === '' ? t('approval.needsOtherOfBuild') : t('approval.needsOther', { user: task.user_name });
};

/** Who must approve a task, and the form for users who may do so. */
export const ApprovalNotice = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const { data: role } = useQuery(roleQuery(task.project_id));
  const isOwn = useIsOwn(task);
  const text = useApprovalText(task);
  const mayApprove = mayWith(role, task.template_id, 'approve');
  return (
    <section className={css.approval} aria-label={t('approval.title')}>
      <Alert colour="stop" shape="bars">
        {text}
      </Alert>
      {mayApprove ? <ApprovalForm key={task.id} task={task} mayApprove={!isOwn} /> : null}
    </section>
  );
};
