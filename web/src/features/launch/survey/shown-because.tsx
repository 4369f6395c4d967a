import type { SurveyCondition, SurveyVariable } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { alternativesText } from '../../../lang/locale.ts';
import css from './survey.module.css';
import { variableTitle } from './survey-values.ts';

interface ShownBecauseProps {
  condition: SurveyCondition;
  survey: readonly SurveyVariable[];
}

/** What an answer is called in the form. */
const useAnswerName = () => {
  const { t } = useTranslation();
  return ({ type, values }: SurveyVariable, answer: string): string => {
    if (type === 'bool') return t(answer === 'true' ? 'survey.yes' : 'survey.no');
    return values.find(({ value }) => value === answer)?.name || answer;
  };
};

/** Why a variable is asked for: the answer to an earlier one. */
export const ShownBecause = ({ condition, survey }: ShownBecauseProps) => {
  const { t } = useTranslation();
  const answerName = useAnswerName();
  const variable = survey.find(({ name }) => name === condition.variable);
  if (!variable) return null;
  const answers = condition.values.map((value) => answerName(variable, value));
  return (
    <p className={css.because}>
      {t('survey.because', { variable: variableTitle(variable), answer: alternativesText(answers) })}
    </p>
  );
};
