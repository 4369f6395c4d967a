import type { SurveyVariable, Template } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { variableTitle } from '../../../ui/forms/answer-text.ts';
import css from './survey.module.css';
import type { AnswerValue } from './survey-values.ts';

export interface AnswerFieldProps {
  template: Template;
  /** Whether the user may start tasks, and so read choices from their sources. */
  mayRun: boolean;
  variable: SurveyVariable;
  /** Name of the field in the form, with which the form finds the input to focus. */
  path: string;
  value: AnswerValue;
  error?: ReactNode;
  /** Called with the new value. */
  onChange: (value: AnswerValue) => void;
}

/** The title of a variable, and whether it needs no answer. */
export const AnswerLabel = ({ variable }: { variable: SurveyVariable }) => {
  const { t } = useTranslation();
  return (
    <>
      {variableTitle(variable)}
      {variable.required || variable.type === 'bool' ? null : (
        <span className={css.optional}>{t('newTask.optional')}</span>
      )}
    </>
  );
};
