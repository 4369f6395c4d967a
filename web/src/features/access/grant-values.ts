import type { BodyInput, Grant, RoleChoice, RouteTable, Template } from '@signalbox/contract';
import { roleOfValue, roleValue } from '../../ui/access/role-labels.ts';
import type { FormAnswers } from '../../ui/forms/launch-form.ts';
import type { Right } from './access-text.ts';

/** The fields of the form of a grant. Ids are texts, as selects need them. */
export interface GrantValues {
  to: 'user' | 'role' | 'group';
  user: string | null;
  role: string | null;
  group: string;
  wholeView: boolean;
  rights: Right[];
  inventory: string | null;
  limit: string;
  answers: FormAnswers;
}

const subjectOf = (grant: Grant): GrantValues['to'] => {
  if (grant.user_id !== null) return 'user';
  return grant.role === null ? 'group' : 'role';
};

const textOf = (id: number | null): string | null => (id === null ? null : String(id));
const idOf = (text: string | null): number | null => (text === null ? null : Number(text));

export const valuesOf = (grant: Grant | undefined, answers: FormAnswers): GrantValues => ({
  to: grant ? subjectOf(grant) : 'user',
  user: textOf(grant?.user_id ?? null),
  role: grant?.role ? roleValue({ role: grant.role, role_id: grant.role_id }) : null,
  group: grant?.group_name ?? '',
  wholeView: grant ? grant.view_id !== null : false,
  rights: grant ? ['see', ...grant.rights.filter((right) => right !== 'see')] : ['see', 'run'],
  inventory: textOf(grant?.inventory_id ?? null),
  limit: grant?.limit ?? '',
  answers,
});

/** The request that stores a grant. Values of tasks are sent only with the right to run. */
export const bodyOf = (
  { to, rights, ...values }: GrantValues,
  template: Pick<Template, 'id' | 'view_id'>,
  roles: readonly RoleChoice[],
  answers: string,
): BodyInput<RouteTable['createGrant']> => {
  const runs = rights.includes('run');
  return {
    template_id: values.wholeView ? null : template.id,
    view_id: values.wholeView ? template.view_id : null,
    user_id: to === 'user' ? idOf(values.user) : null,
    ...(to === 'role' ? roleOfValue(values.role ?? '', roles) : { role: null, role_id: null }),
    group_name: to === 'group' ? values.group : '',
    rights,
    inventory_id: runs ? idOf(values.inventory) : null,
    limit: runs ? values.limit : '',
    answers: runs && !values.wholeView ? answers : '{}',
  };
};
