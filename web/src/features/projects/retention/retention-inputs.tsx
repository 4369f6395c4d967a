import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';
import css from '../project-settings.module.css';
import { FreedNotice, useFreed } from './freed-notice.tsx';
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
  const { freed, system } = useFreed(project, form.values.retention);
  /** What an empty field stands for. */
  const ofSystem = (name: keyof RetentionFields, none: string): string | undefined => {
    if (!system) return undefined;
    return t('settings.ofSystem', { value: system[name] === 0 ? t(none) : numberText(system[name]) });
  };
  return (
    <fieldset className={css.group}>
      <legend>{t('settings.retention')}</legend>
      <TextInput
        label={t('templateForm.keepLogs')}
        description={t('settings.keepLogsHelp')}
        inputMode="numeric"
        placeholder={ofSystem('keep_logs_days', 'settings.keptAsTasks')}
        {...form.getInputProps('retention.keep_logs_days')}
      />
      <TextInput
        label={t('templateForm.keepTasks')}
        description={t('settings.keepTasksHelp')}
        inputMode="numeric"
        placeholder={ofSystem('keep_tasks_days', 'settings.keptForever')}
        {...form.getInputProps('retention.keep_tasks_days')}
      />
      <TextInput
        label={t('templateForm.keepMin')}
        description={t('settings.keepMinHelp')}
        inputMode="numeric"
        placeholder={ofSystem('keep_tasks_min', 'settings.keptForever')}
        {...form.getInputProps('retention.keep_tasks_min')}
      />
      <FreedNotice freed={freed} />
    </fieldset>
  );
};
