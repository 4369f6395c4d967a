import type { LaunchLimits } from '@signalbox/contract';
import type { TFunction } from 'i18next';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** What a grant fixes of tasks, as texts. */
export const limitTexts = (
  t: TFunction,
  { inventory_id, limit, answers }: LaunchLimits,
  inventories: readonly Named[],
): string[] => {
  const inventory = inventories.find(({ id }) => id === inventory_id)?.name;
  const fixed = Object.entries(JSON.parse(answers) as Record<string, unknown>);
  return [
    ...(inventory === undefined ? [] : [t('grants.fixedInventory', { name: inventory })]),
    ...(limit === '' ? [] : [t('grants.fixedLimit', { limit })]),
    ...fixed.map(([name, answer]) => t('grants.fixedAnswer', { name, answer: JSON.stringify(answer) })),
  ];
};
