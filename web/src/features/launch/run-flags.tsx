import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PageApp } from '../../apps/page-app.ts';
import css from './new-task.module.css';
import type { NewTaskFormState } from './new-task-form.tsx';

export interface RunFlagsProps {
  form: NewTaskFormState;
  app: PageApp;
}

/** The switches of a run that its app has. */
export const RunFlags = ({ form, app: { features } }: RunFlagsProps) => {
  const { t } = useTranslation();
  return (
    <div className={css.flags}>
      <Checkbox
        label={t('newTask.debug')}
        description={t('newTask.debugHelp')}
        {...form.getInputProps('debug', { type: 'checkbox' })}
      />
      {features.checkMode ? (
        <Checkbox
          label={t('newTask.dryRun')}
          description={t('newTask.dryRunHelp')}
          {...form.getInputProps('dry_run', { type: 'checkbox' })}
        />
      ) : null}
      {features.diff ? (
        <Checkbox
          label={t('newTask.diff')}
          description={t('newTask.diffHelp')}
          {...form.getInputProps('diff', { type: 'checkbox' })}
        />
      ) : null}
    </div>
  );
};
