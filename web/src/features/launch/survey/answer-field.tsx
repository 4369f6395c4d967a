import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import { hasChoices } from '@signalbox/contract/survey';
import type { ChangeEvent } from 'react';
import { variableTitle } from '../../../ui/forms/answer-text.ts';
import { ChipChoices } from '../../../ui/forms/chip-choices.tsx';
import { Choice } from '../../../ui/forms/choice.tsx';
import { PasswordInput } from '../../../ui/forms/password-input.tsx';
import { useAnswerHint } from './answer-hint.ts';
import { type AnswerFieldProps, AnswerLabel } from './answer-label.tsx';
import { SourcedAnswer } from './sourced-answer.tsx';
import css from './survey.module.css';

/** So few and short choices stand side by side. */
const ROW_CHOICES = 4;
const ROW_CHARACTERS = 32;

const isRow = (labels: readonly string[]): boolean =>
  labels.length <= ROW_CHOICES && labels.join('').length <= ROW_CHARACTERS;

const INPUT_TYPES = { date: 'date', datetime: 'datetime-local' } as const;

const TextAnswer = ({ variable, path, value, error, onChange }: AnswerFieldProps) => {
  const hint = useAnswerHint(variable);
  const common = {
    'data-path': path,
    label: <AnswerLabel variable={variable} />,
    description: hint,
    required: variable.required,
    placeholder: variable.placeholder || undefined,
    value: String(value),
    error,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.currentTarget.value),
  };
  const { type } = variable;
  if (type === 'multiline') return <Textarea {...common} rows={4} />;
  if (type === 'secret') return <PasswordInput {...common} autoComplete="off" />;
  if (type === 'date' || type === 'datetime')
    return <TextInput {...common} type={INPUT_TYPES[type]} step={type === 'datetime' ? 1 : undefined} />;
  const modes = { int: 'numeric', decimal: 'decimal' } as const;
  return <TextInput {...common} inputMode={type === 'int' || type === 'decimal' ? modes[type] : undefined} />;
};

const ChoiceAnswer = ({ variable, path, value, error, onChange }: AnswerFieldProps) => {
  const hint = useAnswerHint(variable);
  const options = variable.values.map((choice) => ({ value: choice.value, label: choice.name || choice.value }));
  const label = variableTitle(variable);
  if (variable.type === 'multiple')
    return (
      <ChipChoices
        path={path}
        label={<AnswerLabel variable={variable} />}
        description={hint}
        error={error}
        options={options}
        value={Array.isArray(value) ? value : []}
        onChange={onChange}
      />
    );
  if (variable.required && isRow(options.map((option) => option.label)))
    return (
      <Choice
        path={path}
        label={label}
        description={hint}
        error={error}
        options={options}
        value={String(value)}
        onChange={onChange}
      />
    );
  return (
    <Select
      data-path={path}
      label={<AnswerLabel variable={variable} />}
      description={hint}
      error={error}
      required={variable.required}
      placeholder={variable.placeholder || undefined}
      data={options}
      searchable
      clearable={!variable.required}
      allowDeselect={!variable.required}
      value={value === '' ? null : String(value)}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
};

/** The field for the answer to a variable of a survey. */
export const AnswerField = (props: AnswerFieldProps) => {
  const { variable, value, error, onChange } = props;
  const hint = useAnswerHint(variable);
  if (variable.source !== null) return <SourcedAnswer {...props} />;
  if (hasChoices(variable.type)) return <ChoiceAnswer {...props} />;
  if (variable.type !== 'bool') return <TextAnswer {...props} />;
  return (
    <Checkbox
      className={css.check}
      label={variableTitle(variable)}
      description={hint}
      error={error}
      checked={value === 'true'}
      onChange={(event) => onChange(String(event.currentTarget.checked))}
    />
  );
};
