import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Task } from '@signalbox/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { Button } from '../../../ui/basics/button.tsx';
import { useErrorFocus } from '../../../ui/forms/use-error-focus.ts';
import { useTranslatedErrors } from '../../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../../ui/toast/toast-store.ts';
import css from './approval.module.css';

interface ApprovalFormProps {
  task: Pick<Task, 'id' | 'project_id'>;
  /** False for the user who started the task, who may only reject it. */
  mayApprove: boolean;
}

/** Approves or rejects a task, with a comment. */
export const ApprovalForm = ({ task: { id, project_id }, mayApprove }: ApprovalFormProps) => {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { comment: '', freeze_reason: '' } });
  useTranslatedErrors(form);
  const { fields, focusError } = useErrorFocus<HTMLFormElement>();
  const decision = useMutation({
    mutationFn: (isApproval: boolean) => {
      const params = { project_id, task_id: id };
      const { freeze_reason } = form.values;
      // A comment is one line in the activity and in messages.
      const comment = form.values.comment.trim().replaceAll(/\s+/g, ' ');
      return isApproval
        ? call('approveTask', { params, body: { comment, freeze_reason: freeze_reason || null } })
        : call('rejectTask', { params, body: { comment } });
    },
    onSuccess: (_, isApproval) => showToast('ok', t(isApproval ? 'approval.approved' : 'approval.rejected', { id })),
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      form.setErrors(error.fields);
      focusError();
    },
  });
  const { error } = decision;
  const isFrozen = error instanceof ApiError && error.answer.code === 'conflict.frozen';
  const reject = () => {
    if (form.values.comment.trim() !== '') return decision.mutate(false);
    form.setFieldError('comment', t('approval.commentRequired'));
    focusError();
  };
  return (
    <form
      ref={fields}
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (mayApprove) decision.mutate(true);
      }}
    >
      {error ? <Alert colour="error">{errorText(error)}</Alert> : null}
      <Textarea
        label={t('approval.comment')}
        description={t('approval.commentHelp')}
        rows={2}
        maxLength={500}
        {...form.getInputProps('comment')}
      />
      {isFrozen || form.values.freeze_reason !== '' ? (
        <TextInput
          label={t('approval.freezeReason')}
          description={t('freeze.startReasonHelp')}
          maxLength={1024}
          withAsterisk
          {...form.getInputProps('freeze_reason')}
        />
      ) : null}
      <div className={css.buttons}>
        {mayApprove ? (
          <Button variant="primary" type="submit" busy={decision.isPending}>
            {t('approval.approve')}
          </Button>
        ) : null}
        <Button disabled={decision.isPending} onClick={reject}>
          {t('approval.reject')}
        </Button>
      </div>
    </form>
  );
};
