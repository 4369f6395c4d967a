import type { SurveyCondition, SurveyVariable } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { alternativesText } from '../../../lang/locale.ts';
import { answerText, variableTitle } from '../../../ui/forms/answer-text.ts';
import css from './survey.module.css';

interface ShownBecauseProps {
  condition: SurveyCondition;
  survey: readonly SurveyVariable[];
}

/** The variable of a condition and the answers that meet it, as the form shows them. */
export const conditionTexts = (t: TFunction, condition: SurveyCondition, survey: readonly SurveyVariable[]) => {
  const variable = survey.find(({ name }) => name === condition.variable);
  const answers = condition.values.map((value) => answerText(t, variable, value));
  return { variable: variable ? variableTitle(variable) : condition.variable, answer: alternativesText(answers) };
};

/** Why a variable is asked for: the answer to an earlier one. */
export const ShownBecause = ({ condition, survey }: ShownBecauseProps) => {
  const { t } = useTranslation();
  return <p className={css.because}>{t('survey.because', conditionTexts(t, condition, survey))}</p>;
};
