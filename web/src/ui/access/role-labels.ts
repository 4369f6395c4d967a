import type { MemberRole, RoleChoice, RoleSlug } from '@signalbox/contract';
import type { TFunction } from 'i18next';

/** The roles from most to fewest permissions, with the catalogue keys of their names. */
export const ROLE_LABELS = {
  owner: 'team.role.owner',
  manager: 'team.role.manager',
  task_runner: 'team.role.taskRunner',
  guest: 'team.role.guest',
} as const satisfies Record<RoleSlug, string>;

/** The value of a role in a select: the name of a fixed role, or the id of another one. */
export const roleValue = ({ role, role_id }: { role: MemberRole; role_id: number | null }): string =>
  role_id === null ? role : String(role_id);

const choiceOf = (value: string, choices: readonly RoleChoice[]): RoleChoice | undefined =>
  choices.find(({ slug, role_id }) => roleValue({ role: slug, role_id }) === value);

/** The body of a request that gives the chosen role. */
export const roleOfValue = (value: string, choices: readonly RoleChoice[]) => {
  const chosen = choiceOf(value, choices);
  return { role: chosen?.slug ?? 'guest', role_id: chosen?.role_id ?? null };
};

/** The name of a role for users. */
export const roleTitle = (t: TFunction, { slug, title }: Pick<RoleChoice, 'slug' | 'title'>): string =>
  slug === 'custom' ? title : t(ROLE_LABELS[slug]);

/** Roles as options of a select. */
export const roleOptions = (t: TFunction, choices: readonly RoleChoice[]) =>
  choices.map((choice) => ({
    value: roleValue({ role: choice.slug, role_id: choice.role_id }),
    label: roleTitle(t, choice),
  }));

/** The name of the role with this value in a select. */
export const titleOfValue = (t: TFunction, value: string, choices: readonly RoleChoice[]): string => {
  const chosen = choiceOf(value, choices);
  return chosen ? roleTitle(t, chosen) : '';
};
