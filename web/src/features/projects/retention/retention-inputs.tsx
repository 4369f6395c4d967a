import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import css from '../project-settings.module.css';
import { FreedNotice } from './freed-notice.tsx';
import type { RetentionFields } from './retention-values.ts';

/** The settings for how long a project keeps logs and tasks. */
export const RetentionInputs = <Values extends { retention: RetentionFields }>({
  form,
  project,
}: {
  form: UseFormReturnType<Values>;
  project: number;
}) => {
  const { t } = useTranslation();
  return (
    <fieldset className={css.group}>
      <legend>{t('settings.retention')}</legend>
      <TextInput
        label={t('templateForm.keepLogs')}
        description={t('settings.keepLogsHelp')}
        inputMode="numeric"
        {...form.getInputProps('retention.keep_logs_days')}
      />
      <TextInput
        label={t('templateForm.keepTasks')}
        description={t('settings.keepTasksHelp')}
        inputMode="numeric"
        {...form.getInputProps('retention.keep_tasks_days')}
      />
      <TextInput
        label={t('templateForm.keepMin')}
        description={t('settings.keepMinHelp')}
        inputMode="numeric"
        {...form.getInputProps('retention.keep_tasks_min')}
      />
      <FreedNotice project={project} fields={form.values.retention} />
    </fieldset>
  );
};
