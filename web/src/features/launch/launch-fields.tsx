import { Textarea, TextInput } from '@mantine/core';
import type { LaunchValues, Template } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePageApp } from '../../apps/page-apps.ts';
import { errorTexts } from '../../lang/error-texts.ts';
import css from './new-task.module.css';
import type { NewTaskFormState } from './new-task-form.tsx';
import {
  answerProblems,
  argumentsProblem,
  type NewTaskValues,
  newTaskBody,
  serverFields,
  startValues,
} from './new-task-values.ts';
import { RunFlags } from './run-flags.tsx';
import { SurveyFields } from './survey/survey-fields.tsx';

/** Values of the fields of a launch that another form contains. */
export type LaunchFormValues = Omit<NewTaskValues, 'build'>;

/** The form values of a template, with stored values where there are any. */
export const launchFormValues = (template: Pick<Template, 'survey_vars'>, stored?: LaunchValues): LaunchFormValues => {
  const { build: _, ...values } = startValues(template, stored && { ...stored, build_task_id: null });
  return values;
};

/** The body of the values. */
export const launchBody = (template: Template, values: LaunchFormValues): LaunchValues => {
  const {
    message = '',
    environment = '{}',
    arguments: args = '[]',
    limit = '',
  } = newTaskBody(template, {
    ...values,
    build: '',
  });
  const { debug, dry_run, diff } = values;
  // A flag that is not set is that of the template.
  return {
    message,
    environment,
    arguments: args,
    limit,
    debug: debug || null,
    dry_run: dry_run || null,
    diff: diff || null,
  };
};

/** Errors by field. A stored secret answer may stay empty. */
export const launchProblems = (
  template: Template,
  values: LaunchFormValues,
  storedSecrets: readonly string[],
  text: (key: string) => string,
): Record<string, string> => {
  const answers = answerProblems(template, { ...values, build: '' }).filter(
    ([field]) => !storedSecrets.some((name) => field === `answers.${name}` && values.answers[name] === ''),
  );
  const wrong = template.allow_override_args_in_task ? argumentsProblem(values.arguments) : undefined;
  return {
    ...Object.fromEntries(answers.map(([field, problem]) => [field, errorTexts.own(problem)])),
    ...(wrong ? { arguments: text(wrong.key) } : {}),
  };
};

/** The names of this form for the fields that the server names below `launch_values`. */
export const launchServerFields = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  serverFields(
    Object.fromEntries(Object.entries(fields).map(([name, text]) => [name.replace('launch_values.', ''), text])),
  );

export interface LaunchFieldsProps {
  template: Template;
  /** A form whose values contain those of a launch. */
  form: unknown;
  /** Names of stored secret answers, which are kept while their fields stay empty. */
  storedSecrets: readonly string[];
}

/** The fields of a launch within another form: what its tasks are started with. */
export const LaunchFields = ({ template, form: within, storedSecrets }: LaunchFieldsProps) => {
  const { t } = useTranslation();
  const app = usePageApp(template.app);
  // The form checks answers itself, and needs the texts of errors for that.
  useQuery({ queryKey: ['error texts'], queryFn: () => errorTexts.load().then(() => true) });
  const form = within as NewTaskFormState;
  const kept = template.survey_vars.filter(({ name }) => storedSecrets.includes(name));
  return (
    <>
      <TextInput label={t('newTask.message')} maxLength={1024} {...form.getInputProps('message')} />
      <SurveyFields form={form} survey={template.survey_vars} />
      {kept.length === 0 ? null : (
        <p className="muted">
          {t('schedules.secretsStored', { names: kept.map(({ title, name }) => title || name).join(', ') })}
        </p>
      )}
      <RunFlags form={form} app={app} />
      {app.features.limit ? (
        <TextInput
          label={t('newTask.limit')}
          description={t('newTask.limitHelp')}
          classNames={{ input: css.mono ?? '' }}
          {...form.getInputProps('limit')}
        />
      ) : null}
      {app.features.arguments && template.allow_override_args_in_task ? (
        <Textarea
          label={t('newTask.arguments')}
          description={t('newTask.argumentsHelp')}
          placeholder={app.argumentsExample}
          rows={3}
          spellCheck={false}
          classNames={{ input: css.mono ?? '' }}
          {...form.getInputProps('arguments')}
        />
      ) : null}
    </>
  );
};
