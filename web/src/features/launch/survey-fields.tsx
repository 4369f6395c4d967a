import { TextInput } from '@mantine/core';
import type { SurveyVariable } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import css from './new-task.module.css';
import type { NewTaskFormState } from './new-task-form.tsx';
import { variableTitle } from './new-task-values.ts';

const Label = ({ variable }: { variable: SurveyVariable }) => {
  const { t } = useTranslation();
  return (
    <>
      {variableTitle(variable)}
      {variable.required ? null : <span className={css.optional}>{t('newTask.optional')}</span>}
    </>
  );
};

/** One field for each variable of the survey. */
export const SurveyFields = ({ form, variables }: { form: NewTaskFormState; variables: readonly SurveyVariable[] }) => (
  <div className={css.survey}>
    {variables.map((variable) => (
      <TextInput
        key={variable.name}
        label={<Label variable={variable} />}
        description={variable.description || undefined}
        inputMode={variable.type === 'int' ? 'numeric' : undefined}
        required={variable.required}
        {...form.getInputProps(`answers.${variable.name}`)}
      />
    ))}
  </div>
);
