import type { BodyInput, RouteTable, SurveyVariable, Task, Template } from '@signalbox/contract';

/** Values of the form. Answers are text by variable name; arguments are JSON text. */
export interface NewTaskValues {
  message: string;
  /** Id of the chosen build as text; empty without one. */
  build: string;
  answers: Record<string, string>;
  debug: boolean;
  dry_run: boolean;
  diff: boolean;
  arguments: string;
  limit: string;
}

/** A catalogue key with its values. */
export interface Problem {
  readonly key: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** The name of a variable in the form: its title, else its name. */
export const variableTitle = ({ title, name }: Pick<SurveyVariable, 'title' | 'name'>): string => title || name;

const text = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

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

/** Initial values: empty, or the answers of an earlier task to variables that the template still has. */
export const startValues = (
  template: Pick<Template, 'survey_vars'>,
  earlier: Task | undefined,
  limit?: string,
  retryMessage?: string,
): NewTaskValues => {
  const answers = answersOf(earlier?.environment ?? '{}');
  return {
    message: (retryMessage ?? earlier?.message ?? '').slice(0, 1024),
    build: earlier?.build_task_id ? String(earlier.build_task_id) : '',
    answers: Object.fromEntries(template.survey_vars.map(({ name }) => [name, text(answers[name])])),
    debug: earlier?.debug ?? false,
    dry_run: earlier?.dry_run ?? false,
    diff: earlier?.diff ?? false,
    arguments: earlier && earlier.arguments !== '[]' ? earlier.arguments : '',
    limit: limit ?? earlier?.limit ?? '',
  };
};

/** Checks an answer: a required one must not be empty, and an integer must consist of digits. */
export const answerProblem = (variable: SurveyVariable, answer: string): Problem | undefined => {
  const values = { title: variableTitle(variable) };
  if (answer.trim() === '') return variable.required ? { key: 'newTask.answerRequired', values } : undefined;
  if (variable.type === 'int' && !/^\d+$/.test(answer.trim())) return { key: 'newTask.integer', values };
  return undefined;
};

/** Checks the arguments: empty, or a JSON array of strings. */
export const argumentsProblem = (json: string): Problem | undefined => {
  if (json.trim() === '') return undefined;
  const value = parsed(json);
  const fine = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return fine ? undefined : { key: 'newTask.argumentsInvalid' };
};

/** All errors of the form by field: `build`, `arguments`, or `answers.<name>`. */
export const newTaskProblems = (template: Template, values: NewTaskValues): Record<string, Problem> => {
  const found: [string, Problem | undefined][] = template.survey_vars.map((variable) => [
    `answers.${variable.name}`,
    answerProblem(variable, values.answers[variable.name] ?? ''),
  ]);
  if (template.type === 'deploy' && values.build === '') found.unshift(['build', { key: 'newTask.buildRequired' }]);
  if (template.allow_override_args_in_task) found.push(['arguments', argumentsProblem(values.arguments)]);
  return Object.fromEntries(found.filter((entry): entry is [string, Problem] => entry[1] !== undefined));
};

/** The body of the request. Empty answers are omitted, so that the values of the environment apply. */
export const newTaskBody = (template: Template, values: NewTaskValues): BodyInput<RouteTable['createTask']> => {
  const answers = template.survey_vars
    .map(({ name }) => [name, (values.answers[name] ?? '').trim()] as const)
    .filter(([, answer]) => answer !== '');
  return {
    template_id: template.id,
    build_task_id: template.type === 'deploy' ? Number(values.build) : null,
    message: values.message.trim(),
    environment: JSON.stringify(Object.fromEntries(answers)),
    debug: values.debug,
    dry_run: values.dry_run,
    diff: values.diff,
    limit: values.limit.trim(),
    ...(template.allow_override_args_in_task && values.arguments.trim() !== '' ? { arguments: values.arguments } : {}),
  };
};

/** Maps field names of the server's response to those of this form. */
export const serverFields = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, message]) => {
      if (name === 'build_task_id') return ['build', message];
      return [name.startsWith('environment.') ? name.replace('environment.', 'answers.') : name, message];
    }),
  );
