import { Select, TextInput } from '@mantine/core';
import { hasChoices } from '@signalbox/contract/survey';
import { useTranslation } from 'react-i18next';
import { ChipChoices } from '../../../../ui/forms/chip-choices.tsx';
import type { SurveyRow } from './survey-rows.ts';
import type { VariableEditorProps } from './variable-editor.tsx';

type ConditionProps = Pick<VariableEditorProps, 'row' | 'conditions' | 'errors' | 'onChange'>;

interface ValuesProps {
  variable: SurveyRow;
  values: readonly string[];
  error: string | undefined;
  onChange: (values: string[]) => void;
}

/** The answers to another variable with which this one is asked for. */
const ConditionValues = ({ variable, values, error, onChange }: ValuesProps) => {
  const { t } = useTranslation();
  const label = t('survey.whenAnswer');
  if (variable.type === 'bool' || hasChoices(variable.type)) {
    const options =
      variable.type === 'bool'
        ? [
            { value: 'true', label: t('survey.yes') },
            { value: 'false', label: t('survey.no') },
          ]
        : variable.values.map(({ name, value }) => ({ value, label: name || value }));
    return <ChipChoices label={label} options={options} value={values} error={error} onChange={onChange} />;
  }
  return (
    <TextInput
      label={label}
      value={values[0] ?? ''}
      error={error}
      onChange={(event) => onChange([event.currentTarget.value])}
    />
  );
};

/** On which answer to an earlier variable it depends whether this one is asked for. */
export const ConditionEditor = ({ row, conditions, errors, onChange }: ConditionProps) => {
  const { t } = useTranslation();
  const { show_when: condition } = row;
  if (conditions.length === 0 && condition === null) return null;
  const variable = conditions.find(({ name }) => name === condition?.variable);
  return (
    <>
      <Select
        label={t('survey.when')}
        placeholder={t('survey.always')}
        clearable
        data={conditions
          .map(({ name, title }) => ({ value: name, label: title || name }))
          .filter(({ value }, index, all) => all.findIndex((one) => one.value === value) === index)}
        error={errors['show_when.variable'] as string | undefined}
        value={condition?.variable ?? null}
        onChange={(chosen) => onChange({ show_when: chosen === null ? null : { variable: chosen, values: [] } })}
      />
      {condition && variable ? (
        <ConditionValues
          variable={variable}
          values={condition.values}
          error={errors['show_when.values'] as string | undefined}
          onChange={(values) => onChange({ show_when: { ...condition, values } })}
        />
      ) : null}
    </>
  );
};
