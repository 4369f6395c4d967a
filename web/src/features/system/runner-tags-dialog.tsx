import { useForm } from '@mantine/form';
import type { Runner } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { useSaving } from '../../api/use-saving.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { errorsOfTags, RunnerTagsInput } from '../../ui/forms/runner-tags-input.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../ui/toast/toast-store.ts';

/** Dialog that changes the tags of a runner. */
export const RunnerTagsDialog = ({ runner, onClose }: { runner: Runner; onClose: () => void }) => {
  const { t } = useTranslation();
  const { id, name, tags } = runner;
  const form = useForm({ initialValues: { tags } });
  useTranslatedErrors(form);
  const saving = useSaving<{ tags: string[] }>({
    send: (values) => call('updateRunner', { params: { runner_id: id }, body: values }),
    stale: queryKey.runners,
    onSaved: () => {
      showToast('ok', t('runners.tagsSaved', { name }));
      onClose();
    },
    onFields: (fields) => form.setErrors(errorsOfTags(fields)),
  });
  return (
    <FormDialog
      title={t('runners.tagsTitle')}
      which={name}
      width={480}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('runners.saveTags')}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      <RunnerTagsInput label={t('runners.tags')} description={t('runners.tagsHelp')} {...form.getInputProps('tags')} />
    </FormDialog>
  );
};
