import { TextInput } from '@mantine/core';
import type { LaunchValues, Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { usePageApp } from '../../apps/page-apps.ts';
import { errorTexts } from '../../lang/error-texts.ts';
import { templateTypeStyle } from '../../ui/tasks/template-type.ts';
import { ArgumentsField } from './arguments-field.tsx';
import { useHosts } from './hosts/use-hosts.ts';
import type { NewTaskFormState } from './new-task-form.tsx';
import {
  answerProblems,
  argumentsProblem,
  type NewTaskValues,
  newTaskBody,
  serverFields,
  startValues,
} from './new-task-values.ts';
import { useLaunchParts } from './options/launch-parts.tsx';
import { LaunchText } from './options/launch-text.tsx';
import { optionProblems } from './options/option-values.ts';
import { SurveyFields } from './survey/survey-fields.tsx';

/** Values of the fields of a launch that another form contains. */
export type LaunchFormValues = Omit<NewTaskValues, 'build'>;

/** The form values of a template, with stored values where there are any. */
export const launchFormValues = (template: Template, stored?: LaunchValues): LaunchFormValues => {
  // An empty limit is that of the template.
  const earlier = stored && { ...stored, build_task_id: null, limit: stored.limit || template.options.limit };
  const { build: _, ...values } = startValues(template, earlier);
  return values;
};

/** The body of the values. */
export const launchBody = (template: Template, values: LaunchFormValues): LaunchValues => {
  const {
    message = '',
    environment = '{}',
    arguments: args = '[]',
    limit = '',
    template_id: _template,
    build_task_id: _build,
    commit_hash: _commit,
    params: _params,
    playbook: _playbook,
    repository_id: _repository,
    ...options
  } = newTaskBody(template, { ...values, build: '' });
  return { ...options, message, environment, arguments: args, limit };
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
    ...Object.fromEntries(Object.entries(optionProblems(values)).map(([field, key]) => [field, text(key)])),
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
  const form = within as NewTaskFormState;
  const kept = template.survey_vars.filter(({ name }) => storedSecrets.includes(name));
  const hosts = useHosts(template, form.values.inventory_id, app.features.limit);
  const parts = useLaunchParts({
    ...{ form, template, app, hosts },
    version: undefined,
    focusHosts: false,
    mayRun: true,
    hasCommit: false,
  });
  return (
    <>
      <LaunchText verb={t(templateTypeStyle(template.type).actionKey)} parts={parts} />
      <TextInput label={t('newTask.message')} maxLength={1024} {...form.getInputProps('message')} />
      <SurveyFields form={form} survey={template.survey_vars} />
      {kept.length === 0 ? null : (
        <p className="muted">
          {t('schedules.secretsStored', { names: kept.map(({ title, name }) => title || name).join(', ') })}
        </p>
      )}
      {app.features.arguments && template.allow_override_args_in_task ? <ArgumentsField form={form} app={app} /> : null}
    </>
  );
};
