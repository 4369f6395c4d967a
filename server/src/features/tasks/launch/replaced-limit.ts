import { type AppName, appOf } from '@signalbox/contract';
import type { LimitColumns } from '../../../access/access.ts';

/** The first value which a grant fixes, but arguments would replace, by the option that they set; undefined if there is none. */
export const replacedLimit = (app: AppName, argumentsJson: string, grant: LimitColumns) => {
  const set = appOf(app).optionsSetBy(JSON.parse(argumentsJson) as string[]);
  if (grant.limit_hosts !== '' && set.has('limit')) return 'limit';
  if (grant.inventory_id !== null && set.has('inventory_id')) return 'inventory_id';
  const fixesAnswers = Object.keys(JSON.parse(grant.answers) as object).length > 0;
  return fixesAnswers && set.has('variables') ? 'variables' : undefined;
};
