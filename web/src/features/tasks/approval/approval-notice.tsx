import type { Task } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { roleQuery, userQuery } from '../../../api/queries.ts';
import { mayWith } from '../../../ui/access/permissions.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import css from './approval.module.css';
import { ApprovalForm } from './approval-form.tsx';

/** Who must approve a task, and the form for users who may do so. */
export const ApprovalNotice = ({ task }: { task: Task }) => {
  const { t } = useTranslation();
  const { data: role } = useQuery(roleQuery(task.project_id));
  const { data: user } = useQuery(userQuery());
  const isOther = task.approval === 'other' && task.approval_starter !== null;
  const isOwn = isOther && task.approval_starter === user?.id;
  const otherText =
    task.user_name === '' ? t('approval.needsOtherOfBuild') : t('approval.needsOther', { user: task.user_name });
  const mayApprove = mayWith(role, task.template_id, 'approve');
  return (
    <section className={css.approval} aria-label={t('approval.title')}>
      <Alert colour="stop" shape="bars">
        {isOwn ? t('approval.own') : null}
        {isOther && !isOwn ? otherText : null}
        {isOther ? null : t('approval.needsAnyone')}
      </Alert>
      {mayApprove ? <ApprovalForm key={task.id} task={task} mayApprove={!isOwn} /> : null}
    </section>
  );
};
