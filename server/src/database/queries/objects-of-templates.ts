import type { StateSchema } from '../schema.ts';

type Owned<T> = 'id' | 'project_id' | 'template_id' extends keyof T ? true : false;

/** Tables whose rows belong to a template: a user who must not see the template must not see them. */
export type ObjectOfTemplate = Exclude<
  { [T in keyof StateSchema]: Owned<StateSchema[T]> extends true ? T : never }[keyof StateSchema],
  // Grants are visible only to owners, who see every template.
  'access_grant'
>;

/** Does not compile until it has a new table of this kind. */
const OBJECTS: Readonly<Record<ObjectOfTemplate, true>> = {
  task: true,
  schedule: true,
  webhook: true,
  saved_launch: true,
  saved_filter: true,
  freeze_window: true,
  public_link: true,
};

export const OBJECTS_OF_TEMPLATES = Object.keys(OBJECTS) as readonly ObjectOfTemplate[];
