import type { BodyInput, FieldMessage, LaunchValues, RouteTable, Task, Template } from '@signalbox/contract';
import { fixedAnswers, type GrantedTemplate, grantedBody } from './granted/granted-template.ts';
import {
  mayChange,
  mustChooseRunner,
  type OptionValues,
  optionProblems,
  optionsBody,
  ownOptions,
  promptOf,
  startOptions,
} from './options/option-values.ts';
import { type AnswerValues, answersBody, readAnswers, startAnswers, withoutDefaults } from './survey/survey-values.ts';

/** Values of the form. Arguments are JSON text. */
export interface NewTaskValues extends OptionValues {
  message: string;
  /** Id of the chosen build as text; empty without one. */
  build: string;
  answers: AnswerValues;
  arguments: string;
  /** Why the task is started in a freeze window. */
  freeze_reason: string;
}

/** The values of an earlier task, or of another object that starts tasks. */
export type EarlierValues = LaunchValues & Pick<Task, 'build_task_id'>;

/** A catalogue key. */
export interface Problem {
  readonly key: string;
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

const answersOf = (environment: string): Record<string, unknown> => {
  const value = parsed(environment);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
};

/** The answers that a grant fixes, as the form has them. */
const grantedAnswers = (template: GrantedTemplate): AnswerValues => {
  const fixed = fixedAnswers(template);
  return startAnswers(
    template.survey_vars.filter(({ name }) => Object.hasOwn(fixed, name)),
    fixed,
  );
};

/** Initial values: the defaults, or the answers of an earlier task to variables that the template still has. */
export const startValues = (
  template: GrantedTemplate,
  earlier: EarlierValues | undefined,
  limit?: string,
  retryMessage?: string,
): NewTaskValues => ({
  message: (retryMessage ?? earlier?.message ?? '').slice(0, 1024),
  build: earlier?.build_task_id ? String(earlier.build_task_id) : '',
  answers: {
    ...startAnswers(template.survey_vars, earlier && answersOf(earlier.environment)),
    ...grantedAnswers(template),
  },
  arguments: earlier && earlier.arguments !== '[]' ? earlier.arguments : '',
  freeze_reason: '',
  ...startOptions(template, earlier, limit),
});

/** The values after the user chose another grant: what either grant fixes is as in `to`, everything else stays. */
export const refitValues = (from: GrantedTemplate, to: GrantedTemplate, values: NewTaskValues): NewTaskValues => {
  const own = Object.entries(ownOptions(to)).filter(([field]) => {
    const prompt = promptOf(field as keyof OptionValues);
    return !mayChange(from, prompt) || !mayChange(to, prompt);
  });
  const fixedBefore = fixedAnswers(from);
  const defaults = Object.entries(startAnswers(to.survey_vars, undefined)).filter(([name]) =>
    Object.hasOwn(fixedBefore, name),
  );
  const answers = { ...values.answers, ...Object.fromEntries(defaults), ...grantedAnswers(to) };
  return { ...values, ...Object.fromEntries(own), answers };
};

/** Checks the arguments: empty, or a JSON array of strings. */
export const argumentsProblem = (json: string): Problem | undefined => {
  if (json.trim() === '') return undefined;
  const value = parsed(json);
  const fine = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return fine ? undefined : { key: 'newTask.argumentsInvalid' };
};

/** All errors of the form by field, except those of answers. */
export const newTaskProblems = (template: Template, values: NewTaskValues): Record<string, Problem> => {
  const found: [string, Problem | undefined][] = [];
  if (template.type === 'deploy' && values.build === '') found.push(['build', { key: 'newTask.buildRequired' }]);
  if (template.allow_override_args_in_task) found.push(['arguments', argumentsProblem(values.arguments)]);
  if (mustChooseRunner(template, values)) found.push(['runner_tags', { key: 'launch.runnerTagsRequired' }]);
  for (const [field, key] of Object.entries(optionProblems(values))) found.push([field, { key }]);
  return Object.fromEntries(found.filter((entry): entry is [string, Problem] => entry[1] !== undefined));
};

/** What is wrong with the answers, by field: `answers.<name>`. */
export const answerProblems = (
  template: Template,
  values: Pick<NewTaskValues, 'answers'>,
): [field: string, problem: FieldMessage][] =>
  readAnswers(template.survey_vars, values.answers).problems.map(([name, problem]) => [`answers.${name}`, problem]);

/** What tasks are started with, as a request has it. */
export const launchBody = (
  template: GrantedTemplate,
  values: Omit<NewTaskValues, 'build' | 'freeze_reason'>,
): LaunchValues => ({
  message: values.message.trim(),
  environment: JSON.stringify({ ...answersBody(template.survey_vars, values.answers), ...fixedAnswers(template) }),
  arguments: template.allow_override_args_in_task && values.arguments.trim() !== '' ? values.arguments : '[]',
  ...optionsBody(template, values),
});

/** What tasks will be started with later: without the answers that are still the defaults of the survey. */
export const storedBody = (template: GrantedTemplate, values: Parameters<typeof launchBody>[1]): LaunchValues => {
  const body = launchBody(template, values);
  const answers = withoutDefaults(template.survey_vars, values.answers, answersOf(body.environment));
  return { ...body, environment: JSON.stringify(answers) };
};

/** The body of the request for a task. */
export const newTaskBody = (template: GrantedTemplate, values: NewTaskValues): BodyInput<RouteTable['createTask']> => ({
  ...launchBody(template, values),
  ...grantedBody(template),
  template_id: template.id,
  build_task_id: template.type === 'deploy' ? Number(values.build) : null,
  ...(values.freeze_reason.trim() === '' ? {} : { freeze_reason: values.freeze_reason.trim() }),
  ...(values.commit_hash.trim() === '' ? {} : { commit_hash: values.commit_hash.trim() }),
});

/** Options whose items the server names one by one. */
const LISTS = ['vaults', 'tags', 'skip_tags', 'runner_tags'];

/** Maps field names of the server's response to those of this form. */
export const serverFields = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, message]) => {
      if (name === 'build_task_id') return ['build', message];
      if (name === 'max_duration') return ['max_minutes', message];
      const list = LISTS.find((option) => name.startsWith(`${option}.`));
      if (list) return [list, message];
      return [name.startsWith('environment.') ? name.replace('environment.', 'answers.') : name, message];
    }),
  );
