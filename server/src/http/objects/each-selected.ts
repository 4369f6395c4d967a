import type { SelectionOutcome } from '@signalbox/contract';
import { ZodError } from 'zod';
import type { StateReader } from '../../database/database.ts';
import type { ObjectOfTemplate } from '../../database/queries/objects-of-templates.ts';
import type { Membership } from '../calls/call.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import { errorAnswer, fieldsError } from '../errors/error-answer.ts';

type Refusal = SelectionOutcome['refused'][number];

/**
 * Does something with one selected object after the other, and answers which of them were refused. An object that is
 * refused does not keep the next ones from being done.
 * @param act does it with one object, in a transaction of its own; its `ApiError` or `ZodError` refuses this object
 * @throws every other error, at the object where it occurs
 */
export const eachSelected = async (
  ids: readonly number[],
  act: (id: number) => Promise<void>,
): Promise<SelectionOutcome> => {
  const done: number[] = [];
  const refused: Refusal[] = [];
  for (const id of ids) {
    try {
      await act(id);
      done.push(id);
    } catch (thrown) {
      const error = thrown instanceof ZodError ? fieldsError(thrown) : thrown;
      if (!(error instanceof ApiError)) throw error;
      refused.push({ id, params: {}, ...errorAnswer(error) });
    }
  }
  return { done, refused };
};

interface ProjectSelection {
  readonly body: { readonly ids: readonly number[] };
  readonly membership: Membership;
  readonly permitTemplate: (templateId: number) => Membership;
}

/**
 * As `eachSelected`, for objects of a project: checks for each one that the caller may do this with its template.
 * @param templateOf the template of an object; undefined if there is no such object in the project
 * @param act gets the call with the rights on the template of this object
 */
export const eachPermitted = <C extends ProjectSelection>(
  call: C,
  templateOf: (id: number) => Promise<number | undefined>,
  act: (id: number, permitted: C) => Promise<void>,
): Promise<SelectionOutcome> =>
  eachSelected(call.body.ids, async (id) => {
    const template = await templateOf(id);
    if (template === undefined) throw notFound();
    await act(id, { ...call, membership: call.permitTemplate(template) });
  });

/** Finds the templates of objects of a project, for `eachPermitted`. */
export const templateIn =
  (db: StateReader, table: ObjectOfTemplate, projectId: number) =>
  async (id: number): Promise<number | undefined> => {
    const row = await db
      .selectFrom(table)
      .select('template_id')
      .where('id', '=', id)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    return row?.template_id ?? undefined;
  };
