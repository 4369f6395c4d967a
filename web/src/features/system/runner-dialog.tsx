import { Checkbox, MultiSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Runner } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { projectsQuery } from '../../api/queries.ts';
import { useSaving } from '../../api/use-saving.ts';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { errorsOfTags, RunnerTagsInput } from '../../ui/forms/runner-tags-input.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../ui/toast/toast-store.ts';
import css from './runner-page.module.css';

interface RunnerValues {
  name: string;
  description: string;
  tags: string[];
  isLimited: boolean;
  /** Ids, as the input needs them. */
  projects: string[];
}

/** Dialog that changes the settings of a runner. */
export const RunnerDialog = ({ runner, onClose }: { runner: Runner; onClose: () => void }) => {
  const { t } = useTranslation();
  const { id, name, description, tags, projects, local } = runner;
  const { data: all = [] } = useQuery(projectsQuery());
  const form = useForm<RunnerValues>({
    initialValues: {
      ...{ name, description, tags, isLimited: projects !== null },
      projects: (projects ?? []).map(String),
    },
    validate: { name: (value) => (value.trim() === '' ? t('form.nameRequired') : null) },
  });
  useTranslatedErrors(form);
  const saving = useSaving<RunnerValues>({
    send: ({ isLimited, projects: ids, ...values }) =>
      call('updateRunner', {
        params: { runner_id: id },
        body: { ...values, name: values.name.trim(), projects: isLimited ? ids.map(Number) : null },
      }),
    stale: queryKey.runners,
    onSaved: (values) => {
      showToast('ok', t('runners.saved', { name: values.name.trim() }));
      onClose();
    },
    onFields: (fields) => form.setErrors(errorsOfTags(fields)),
  });
  return (
    <FormDialog
      title={t('runners.editTitle')}
      which={name}
      width={480}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('runners.saveEdit')}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label={t('form.name')}
        description={t(local ? 'runners.localName' : 'runners.nameHelp')}
        maxLength={255}
        disabled={local}
        {...form.getInputProps('name')}
      />
      <Textarea label={t('runners.description')} maxLength={1000} rows={2} {...form.getInputProps('description')} />
      <RunnerTagsInput label={t('runners.tags')} description={t('runners.tagsHelp')} {...form.getInputProps('tags')} />
      <Checkbox label={t('runners.limitProjects')} {...form.getInputProps('isLimited', { type: 'checkbox' })} />
      {form.values.isLimited ? (
        <MultiSelect
          className={css.projects ?? ''}
          aria-label={t('runners.projects')}
          description={t('runners.projectsHelp')}
          data={all.map((project) => ({ value: String(project.id), label: project.name }))}
          searchable
          {...form.getInputProps('projects')}
        />
      ) : null}
    </FormDialog>
  );
};
