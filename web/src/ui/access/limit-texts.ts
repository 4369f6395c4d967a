import type { LaunchLimits, SurveyVariable } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { answerText, variableTitle } from '../forms/answer-text.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/**
 * What a grant fixes of tasks, as texts.
 * @param survey that of its template
 */
export const limitTexts = (
  t: TFunction,
  { inventory_id, limit, answers }: LaunchLimits,
  inventories: readonly Named[],
  survey: readonly SurveyVariable[],
): string[] => {
  const inventory = inventories.find(({ id }) => id === inventory_id)?.name;
  const fixed = Object.entries(JSON.parse(answers) as Record<string, unknown>);
  return [
    ...(inventory === undefined ? [] : [t('grants.fixedInventory', { name: inventory })]),
    ...(limit === '' ? [] : [t('grants.fixedLimit', { limit })]),
    ...fixed.map(([name, answer]) => {
      const variable = survey.find((one) => one.name === name);
      const title = variable ? variableTitle(variable) : name;
      return t('grants.fixedAnswer', { name: title, answer: answerText(t, variable, answer) });
    }),
  ];
};
