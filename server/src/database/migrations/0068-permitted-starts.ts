import type { Kysely } from 'kysely';

/** The rows as this step needs them. */
interface Rows {
  readonly template: { readonly id: number; readonly survey_vars: string };
  readonly schedule: { readonly id: number; readonly template_id: number; readonly launch_values: string };
}

/** What cannot be read has no extra variables: the schedule or its template shows the error, as before. */
const extraVariables = (launchValues: string, survey: string): string[] => {
  try {
    const { environment = '{}' } = JSON.parse(launchValues) as { environment?: string };
    const declared = new Set((JSON.parse(survey) as { name: string }[]).map(({ name }) => name));
    return Object.keys(JSON.parse(environment) as object).filter((name) => !declared.has(name));
  } catch {
    return [];
  }
};

/**
 * Adds the names of the variables that schedules set in addition to the survey, and the freeze window in which a task was
 * permitted, with its begin. Variables that a survey does not have now stay permitted, because it is unknown whether it
 * had them.
 */
export const permittedStarts = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('schedule')
    .addColumn('extra_variables', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
  // No foreign key: ids of windows are never used again.
  await db.schema.alterTable('task').addColumn('freeze_window_id', 'integer').execute();
  await db.schema.alterTable('task').addColumn('freeze_from', 'text').execute();
  const schedules = await (db as Kysely<Rows>)
    .selectFrom('schedule')
    .innerJoin('template', 'template.id', 'schedule.template_id')
    .select(['schedule.id', 'schedule.launch_values', 'template.survey_vars'])
    .execute();
  for (const { id, launch_values, survey_vars } of schedules) {
    const names = extraVariables(launch_values, survey_vars);
    if (names.length === 0) continue;
    const extra_variables = JSON.stringify(names);
    await (db as Kysely<Rows>)
      .updateTable('schedule')
      .set({ extra_variables } as never)
      .where('id', '=', id)
      .execute();
  }
};
