import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PageApp } from '../../apps/page-app.ts';
import css from './new-task.module.css';
import type { NewTaskFormState } from './new-task-form.tsx';

/** The input for further arguments, as JSON. */
export const ArgumentsField = ({ form, app }: { form: NewTaskFormState; app: PageApp }) => {
  const { t } = useTranslation();
  return (
    <Textarea
      label={t('newTask.arguments')}
      description={t('newTask.argumentsHelp')}
      placeholder={app.argumentsExample}
      rows={3}
      spellCheck={false}
      classNames={{ input: css.mono ?? '' }}
      {...form.getInputProps('arguments')}
    />
  );
};
