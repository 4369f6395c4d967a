import { FACT_NUMBER, FACTS, OPERATORS_OF_KIND, type QueryOf, type ROUTE_TABLE } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import { badField } from '../../../http/errors/api-error.ts';
import type { FactCondition, HostFilter } from './host-filter.ts';

type Query = QueryOf<(typeof ROUTE_TABLE)['listHosts']>;

const NUMBER = new RegExp(FACT_NUMBER);

/** @throws ApiError 400 if the value is missing or not a number, or does not fit the operator */
const conditionOf = ({ fact, fact_operator: operator = 'is', fact_value: value }: Query): FactCondition | undefined => {
  if (fact === undefined) return undefined;
  if (value === undefined) throw badField('fact_value', 'field.required');
  const { kind } = FACTS[fact];
  const operators = OPERATORS_OF_KIND[kind];
  if (!operators.includes(operator)) throw badField('fact_operator', 'field.choice', { values: operators.join(', ') });
  if (kind !== 'text' && !NUMBER.test(value)) throw badField('fact_value', 'field.number_needed');
  return { fact, operator, value };
};

/** The filter of a list of hosts. @throws ApiError 400 for a condition on a fact that makes no sense */
export const filterOf = (query: Query, now: Date): HostFilter => ({
  name: query.name,
  group: query.group,
  template: query.template_id,
  result: query.result,
  before: query.untouched_days === undefined ? undefined : now.getTime() - query.untouched_days * DAY_MS,
  fact: conditionOf(query),
  vanished: query.vanished === undefined ? undefined : query.vanished === 'true',
});
