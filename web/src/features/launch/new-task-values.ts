import type { BodyInput, RouteTable, SurveyVariable, Task, Template } from '@signalbox/contract';

/** What the form holds. Answers are text by variable name; arguments are JSON text. */
export interface NewTaskValues {
  message: string;
  /** Id of the chosen build as text, empty without one. */
  build: string;
  answers: Record<string, string>;
  debug: boolean;
  dry_run: boolean;
  diff: boolean;
  arguments: string;
  limit: string;
}

/** A message of the catalogue and the values in it. */
export interface Problem {
  readonly key: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** How a variable is called: by its title, else by its name. */
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

/** What the form starts with: nothing, or the answers of an earlier task as far as the template still asks for them. */
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

/** What is wrong with an answer: a required one must be there, an integer must be digits only. */
export const answerProblem = (variable: SurveyVariable, answer: string): Problem | undefined => {
  const values = { title: variableTitle(variable) };
  if (answer.trim() === '') return variable.required ? { key: 'newTask.answerRequired', values } : undefined;
  if (variable.type === 'int' && !/^\d+$/.test(answer.trim())) return { key: 'newTask.integer', values };
  return undefined;
};

/** What is wrong with the arguments: they must be a JSON array of texts; empty means none. */
export const argumentsProblem = (json: string): Problem | undefined => {
  if (json.trim() === '') return undefined;
  const value = parsed(json);
  const fine = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return fine ? undefined : { key: 'newTask.argumentsInvalid' };
};

/** Everything that keeps a form from being sent, by field: `build`, `arguments`, or `answers.<name>`. */
export const newTaskProblems = (template: Template, values: NewTaskValues): Record<string, Problem> => {
  const found: [string, Problem | undefined][] = template.survey_vars.map((variable) => [
    `answers.${variable.name}`,
    answerProblem(variable, values.answers[variable.name] ?? ''),
  ]);
  if (template.type === 'deploy' && values.build === '') found.unshift(['build', { key: 'newTask.buildRequired' }]);
  if (template.allow_override_args_in_task) found.push(['arguments', argumentsProblem(values.arguments)]);
  return Object.fromEntries(found.filter((entry): entry is [string, Problem] => entry[1] !== undefined));
};

/** What is sent. Empty answers are left out, so that the environment's own values stand. */
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

/** Field names of the server's answer in the words of this form. */
export const serverFields = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, message]) => {
      if (name === 'build_task_id') return ['build', message];
      return [name.startsWith('environment.') ? name.replace('environment.', 'answers.') : name, message];
    }),
  );
