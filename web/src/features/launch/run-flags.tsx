import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import css from './new-task.module.css';
import type { NewTaskFormState } from './new-task-form.tsx';

/** The three switches of every run. */
export const RunFlags = ({ form }: { form: NewTaskFormState }) => {
  const { t } = useTranslation();
  return (
    <div className={css.flags}>
      <Checkbox
        label={t('newTask.debug')}
        description={t('newTask.debugHelp')}
        {...form.getInputProps('debug', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('newTask.dryRun')}
        description={t('newTask.dryRunHelp')}
        {...form.getInputProps('dry_run', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('newTask.diff')}
        description={t('newTask.diffHelp')}
        {...form.getInputProps('diff', { type: 'checkbox' })}
      />
    </div>
  );
};
