import type { SurveyVariable } from '@signalbox/contract';
import { limitedOf } from '@signalbox/contract/survey';
import { useTranslation } from 'react-i18next';
import { numberText } from '../../../lang/locale.ts';

const LIMITED = {
  int: 'survey.limited.int',
  decimal: 'survey.limited.decimal',
  length: 'survey.limited.length',
  choices: 'survey.limited.choices',
} as const;
const RANGES = { both: 'survey.range.both', min: 'survey.range.min', max: 'survey.range.max' } as const;

const rangeOf = ({ min, max }: SurveyVariable): keyof typeof RANGES | undefined => {
  if (min !== null && max !== null) return 'both';
  if (min !== null) return 'min';
  return max === null ? undefined : 'max';
};

/** What is asked for: the description of a variable and the limits of its answer, each on a line. */
export const useAnswerHint = (variable: SurveyVariable): string | undefined => {
  const { t } = useTranslation();
  const { type, min, max, description } = variable;
  const range = rangeOf(variable);
  const limited = type === 'int' || type === 'decimal' ? type : limitedOf(type);
  const limits =
    range &&
    limited &&
    limited !== 'value' &&
    t('survey.limits', {
      what: t(LIMITED[limited]),
      range: t(RANGES[range], { min: numberText(min ?? 0), max: numberText(max ?? 0) }),
    });
  const parts = [description, limits, type === 'secret' ? t('survey.secretHint') : undefined].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join('\n');
};
