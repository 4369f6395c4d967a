import { TextInput } from '@mantine/core';
import type { SurveyChoice } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../../ui/basics/button.tsx';
import { FieldError } from '../../../../ui/forms/field-error.tsx';
import css from './survey-editor.module.css';
import type { SurveyErrors } from './survey-rows.ts';

interface ChoicesEditorProps {
  choices: readonly SurveyChoice[];
  errors: SurveyErrors;
  onChange: (choices: SurveyChoice[]) => void;
}

/** The choices of a variable: the value that the run gets, and what the form shows. */
export const ChoicesEditor = ({ choices, errors, onChange }: ChoicesEditorProps) => {
  const { t } = useTranslation();
  const change = (index: number, part: Partial<SurveyChoice>) =>
    onChange(choices.map((choice, at) => (at === index ? { ...choice, ...part } : choice)));
  return (
    <fieldset className={css.choices}>
      <legend>{t('survey.choices')}</legend>
      {choices.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a choice has nothing else that stays the same while it is edited
        <div key={index} className={css.choice}>
          <TextInput
            aria-label={t('survey.value')}
            placeholder={t('survey.value')}
            maxLength={1024}
            value={value}
            error={errors[`values.${index}.value`] as string | undefined}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          <TextInput
            aria-label={t('survey.shown')}
            placeholder={t('survey.shown')}
            maxLength={255}
            value={name}
            onChange={(event) => change(index, { name: event.currentTarget.value })}
          />
          <IconButton
            icon="trash"
            label={t('survey.removeChoice', { name: name || value })}
            onClick={() => onChange(choices.toSpliced(index, 1))}
          />
        </div>
      ))}
      {errors.values ? <FieldError>{errors.values as string}</FieldError> : null}
      <Button small icon="plus" onClick={() => onChange([...choices, { name: '', value: '' }])}>
        {t('survey.addChoice')}
      </Button>
    </fieldset>
  );
};
