import type { SurveyVariable } from '@signalbox/contract';
import { isEmptyAnswer } from '@signalbox/contract/survey';
import type { TFunction } from 'i18next';
import { listText } from '../../lang/locale.ts';

/** The name of a variable in the form: its title, else its name. */
export const variableTitle = ({ title, name }: Pick<SurveyVariable, 'title' | 'name'>): string => title || name;

/** An answer as the form shows it: the names of choices, and yes or no. A dash for none. */
export const answerText = (t: TFunction, variable: SurveyVariable | undefined, answer: unknown): string => {
  if (isEmptyAnswer(answer)) return '–';
  if (Array.isArray(answer)) return listText(answer.map((one) => answerText(t, variable, one)));
  const text = String(answer);
  if (variable?.type === 'bool') return t(text === 'true' ? 'survey.yes' : 'survey.no');
  return variable?.values.find(({ value }) => value === text)?.name || text;
};
