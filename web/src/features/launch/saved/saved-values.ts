import type { LaunchValues, SavedLaunch, Template } from '@signalbox/contract';
import type { GrantedTemplate } from '../granted/granted-template.ts';
import { answerProblems, type NewTaskValues, newTaskProblems, startValues, storedBody } from '../new-task-values.ts';
import { differences, mayChange, promptOf } from '../options/option-values.ts';

/** Stored values as an earlier task would have them: what they leave out is as the template has it today. */
export const storedOptions = (template: Template, stored: LaunchValues): LaunchValues => ({
  ...stored,
  limit: stored.limit || template.options.limit,
  environment: JSON.stringify({
    ...Object.fromEntries(template.survey_vars.map(({ name, default_value }) => [name, default_value])),
    ...JSON.parse(stored.environment),
  }),
});

/** The values of the form that a saved launch fills, with the build that is chosen already. */
export const filledValues = (
  template: GrantedTemplate,
  { launch_values }: Pick<SavedLaunch, 'launch_values'>,
  build: string,
): NewTaskValues => ({
  ...startValues(template, { ...storedOptions(template, launch_values), build_task_id: null }),
  build,
});

/** The values of the form as a saved launch keeps them: without secret answers. */
export const valuesToSave = (template: GrantedTemplate, values: NewTaskValues): LaunchValues => {
  const body = storedBody(template, values);
  const secret = new Set(template.survey_vars.filter(({ type }) => type === 'secret').map(({ name }) => name));
  const answers = Object.entries(JSON.parse(body.environment) as object).filter(([name]) => !secret.has(name));
  return { ...body, environment: JSON.stringify(Object.fromEntries(answers)) };
};

/** Whether a saved launch can be started at once: nothing is missing, and the template and the grant permit all of it. */
export const isComplete = (template: GrantedTemplate, launch: SavedLaunch): boolean => {
  const values = filledValues(template, launch, '');
  const { granted: _, ...ungranted } = template;
  const known = new Set(template.survey_vars.filter(({ type }) => type !== 'secret').map(({ name }) => name));
  const answered = Object.keys(JSON.parse(launch.launch_values.environment) as object);
  const { fields } = differences(template, storedOptions(template, launch.launch_values));
  return (
    Object.keys(newTaskProblems(template, values)).length === 0 &&
    answerProblems(template, values).length === 0 &&
    JSON.stringify(filledValues(ungranted, launch, '').answers) === JSON.stringify(values.answers) &&
    answered.every((name) => known.has(name)) &&
    fields.every((field) => mayChange(template, promptOf(field)))
  );
};
