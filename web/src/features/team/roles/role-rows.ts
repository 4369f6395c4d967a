import type { RoleChoice } from '@signalbox/contract';
import type { RoleValues } from './role-dialog.tsx';

/** A role in the list: a fixed one, one of the system or one of the project. */
export interface RoleRow extends RoleChoice {
  /** The id of the role; for a fixed role a negative number, which no other row has. */
  readonly id: number;
  readonly name: string;
  /** The role as the form shows it, if it can be changed on this page. */
  readonly values: RoleValues | undefined;
}

/**
 * The rows of roles.
 * @param isOfPage whether a role belongs to the page: those of the project, or those of the system
 */
export const roleRows = (choices: readonly RoleChoice[], isOfPage: (choice: RoleChoice) => boolean): RoleRow[] =>
  choices.map((choice, index) => ({
    ...choice,
    id: choice.role_id ?? -1 - index,
    name: choice.title,
    values:
      choice.starts_from !== null && choice.starts_from !== 'owner' && isOfPage(choice)
        ? { name: choice.title, starts_from: choice.starts_from, rights: [...choice.rights] }
        : undefined,
  }));
