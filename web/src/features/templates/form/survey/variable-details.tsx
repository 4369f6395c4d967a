import { Select, TextInput } from '@mantine/core';
import type { SurveyVariable } from '@signalbox/contract';
import { hasDefault, hasPattern, limitedOf } from '@signalbox/contract/survey';
import { useTranslation } from 'react-i18next';
import { ConditionEditor } from './condition-editor.tsx';
import css from './survey-editor.module.css';
import type { VariableEditorProps } from './variable-editor.tsx';

type DetailsProps = Pick<VariableEditorProps, 'row' | 'conditions' | 'errors' | 'onChange'>;

/** The text fields that every variable has. */
type TextName = 'description' | 'group' | 'placeholder' | 'pattern' | 'pattern_message' | 'default_value';

const LABELS = {
  description: 'survey.description',
  group: 'survey.group',
  placeholder: 'survey.placeholder',
  pattern: 'survey.pattern',
  pattern_message: 'survey.patternMessage',
  default_value: 'survey.default',
} as const satisfies Record<TextName, string>;

const Text = ({ name, row, errors, onChange }: DetailsProps & { name: TextName }) => {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t(LABELS[name])}
      value={row[name]}
      spellCheck={name !== 'pattern'}
      error={errors[name] as string | undefined}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
};

const LIMITS = {
  min: { length: 'survey.min.length', value: 'survey.min.value', choices: 'survey.min.choices' },
  max: { length: 'survey.max.length', value: 'survey.max.value', choices: 'survey.max.choices' },
} as const;

const Limit = ({ name, row, errors, onChange }: DetailsProps & { name: 'min' | 'max' }) => {
  const { t } = useTranslation();
  const limited = limitedOf(row.type);
  if (limited === undefined) return null;
  return (
    <TextInput
      type="number"
      step="any"
      label={t(LIMITS[name][limited])}
      value={row[name] ?? ''}
      error={errors[name] as string | undefined}
      onChange={({ currentTarget: { valueAsNumber } }) =>
        onChange({ [name]: Number.isNaN(valueAsNumber) ? null : valueAsNumber })
      }
    />
  );
};

/** The default of a variable with few possible answers. */
const ChosenDefault = ({ row, errors, onChange }: DetailsProps) => {
  const { t } = useTranslation();
  const answers =
    row.type === 'bool'
      ? [
          { value: 'true', label: t('survey.yes') },
          { value: 'false', label: t('survey.no') },
        ]
      : row.values.filter(({ value }) => value !== '').map(({ name, value }) => ({ value, label: name || value }));
  return (
    <Select
      label={t('survey.default')}
      data={answers.filter(({ value }, index) => answers.findIndex((one) => one.value === value) === index)}
      clearable
      error={errors.default_value as string | undefined}
      value={row.default_value === '' ? null : row.default_value}
      onChange={(value) => onChange({ default_value: value ?? '' })}
    />
  );
};

const hasPlaceholder = ({ type }: SurveyVariable): boolean => hasPattern(type) || type === 'int' || type === 'decimal';

/** Everything about a variable that most surveys do not need. */
export const VariableDetails = (props: DetailsProps) => {
  const { type, source } = props.row;
  const isChosen = type === 'bool' || (type === 'enum' && source === null);
  return (
    <div className={css.details}>
      <Text name="description" {...props} />
      <Text name="group" {...props} />
      {isChosen ? <ChosenDefault {...props} /> : null}
      {hasDefault(type) && !isChosen ? <Text name="default_value" {...props} /> : null}
      {hasPlaceholder(props.row) ? <Text name="placeholder" {...props} /> : null}
      <Limit name="min" {...props} />
      <Limit name="max" {...props} />
      {hasPattern(type) ? <Text name="pattern" {...props} /> : null}
      {hasPattern(type) ? <Text name="pattern_message" {...props} /> : null}
      <ConditionEditor {...props} />
    </div>
  );
};
