import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { FailureCluster } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { useSaving } from '../../../api/use-saving.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { failureText } from '../../../ui/tasks/failure-text.ts';

interface NoteDialogProps {
  project: number;
  failure: number;
  cluster: FailureCluster;
  onClose: () => void;
}

/** The note about a failure, which every task with it shows. */
export const NoteDialog = ({ project, failure, cluster, onClose }: NoteDialogProps) => {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { note: cluster.remark?.note ?? '' } });
  const saving = useSaving<{ note: string }>({
    send: (body) => call('updateFailure', { params: { project_id: project, failure_id: failure }, body }),
    stale: queryKey.failures(project),
    onSaved: onClose,
    onFields: (fields) => form.setErrors(fields),
  });
  return (
    <FormDialog
      title={t('cluster.note')}
      which={failureText(t, cluster)}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('cluster.saveNote')}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      <Textarea
        label={t('cluster.noteText')}
        description={t('cluster.noteHelp')}
        rows={8}
        maxLength={4000}
        data-autofocus
        {...form.getInputProps('note')}
      />
    </FormDialog>
  );
};
