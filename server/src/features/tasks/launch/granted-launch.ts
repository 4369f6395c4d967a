import type { Selectable } from 'kysely';
import { isLimited, type LimitColumns } from '../../../access/access.ts';
import type { TemplateTable } from '../../../database/schema.ts';
import { badField } from '../../../http/errors/api-error.ts';
import { replacedLimit } from './replaced-limit.ts';
import { type LaunchRequest, sentField, withParameters } from './task-parameters.ts';

type Template = Selectable<TemplateTable>;

type Answers = Readonly<Record<string, unknown>>;
const answersOf = (json: string): Answers => JSON.parse(json) as Answers;

/** The first field in which a request has another value than a grant, with the value of the grant. */
const findConflict = (
  given: LaunchRequest,
  grant: LimitColumns,
): readonly [field: string, value: string] | undefined => {
  const request = withParameters(given);
  if (grant.inventory_id !== null && request.inventory_id && request.inventory_id !== grant.inventory_id)
    return ['inventory_id', String(grant.inventory_id)];
  if (grant.limit_hosts !== '' && request.limit !== '' && request.limit !== grant.limit_hosts)
    return [sentField(given, 'limit'), grant.limit_hosts];
  const sent = answersOf(request.environment);
  const other = Object.entries(answersOf(grant.answers)).find(
    ([name, answer]) => Object.hasOwn(sent, name) && JSON.stringify(sent[name]) !== JSON.stringify(answer),
  );
  return other && [`environment.${other[0]}`, JSON.stringify(other[1])];
};

/** Whether a request has every value that a grant fixes. */
const isStated = (given: LaunchRequest, grant: LimitColumns): boolean => {
  const request = withParameters(given);
  const sent = answersOf(request.environment);
  return (
    (grant.inventory_id === null || request.inventory_id === grant.inventory_id) &&
    (grant.limit_hosts === '' || request.limit === grant.limit_hosts) &&
    Object.keys(answersOf(grant.answers)).every((name) => Object.hasOwn(sent, name)) &&
    findConflict(request, grant) === undefined
  );
};

/** The error for each value of a grant that the arguments of the template would replace. */
const REPLACED = {
  limit: () => badField('limit', 'field.limit_in_arguments'),
  inventory_id: () => badField('inventory_id', 'field.inventory_in_arguments'),
  variables: () => badField('environment', 'field.variables_in_arguments'),
} as const;

/** The template and the request with what a grant fixes. */
const narrowed = (template: Template, request: LaunchRequest, grant: LimitColumns) => {
  const replaced = replacedLimit(template.app, template.arguments, grant);
  if (replaced) throw REPLACED[replaced]();
  const limit = grant.limit_hosts === '' ? {} : { limit: grant.limit_hosts };
  const fixed = {
    ...(grant.limit_hosts === '' ? {} : { limit: 'fixed' }),
    ...(grant.inventory_id === null ? {} : { inventory_id: 'fixed' }),
  };
  const environment = { ...answersOf(request.environment), ...answersOf(grant.answers) };
  return {
    template: {
      ...template,
      inventory_id: grant.inventory_id ?? template.inventory_id,
      options: JSON.stringify({ ...JSON.parse(template.options), ...limit }),
      prompts: JSON.stringify({ ...JSON.parse(template.prompts), ...fixed }),
    },
    request: { ...request, environment: JSON.stringify(environment) },
  };
};

/**
 * Applies what grants fix to a launch. Of several grants the first one counts of which the request has all values, or else
 * the first one that fits the request.
 * @param grants the grants that permit the launch; undefined if the role does, without limits
 * @throws bad_input naming the value that no grant permits
 */
export const withinGrants = (
  template: Template,
  request: LaunchRequest,
  grants: readonly LimitColumns[] | undefined,
): { readonly template: Template; readonly request: LaunchRequest } => {
  const [first] = grants ?? [];
  if (!grants || !first || grants.some((grant) => !isLimited(grant))) return { template, request };
  const fitting =
    grants.find((grant) => isStated(request, grant)) ??
    grants.find((grant) => findConflict(request, grant) === undefined);
  if (fitting) return narrowed(template, request, fitting);
  const [field, value] = findConflict(request, first) ?? ['limit', ''];
  throw badField(field, 'field.granted', { value });
};
