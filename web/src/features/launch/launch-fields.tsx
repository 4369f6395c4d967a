import { TextInput } from '@mantine/core';
import type { LaunchValues, Template } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { usePageApp } from '../../apps/page-apps.ts';
import { errorTexts } from '../../lang/error-texts.ts';
import { useOptional } from '../../ui/forms/use-optional.ts';
import { templateTypeStyle } from '../../ui/tasks/template-type.ts';
import { ArgumentsField } from './arguments-field.tsx';
import { useHosts } from './hosts/use-hosts.ts';
import type { NewTaskFormState } from './new-task-form.tsx';
import { answerProblems, argumentsProblem, type NewTaskValues, serverFields, startValues } from './new-task-values.ts';
import { useLaunchParts } from './options/launch-parts.tsx';
import { LaunchText } from './options/launch-text.tsx';
import { LostOptions } from './options/option-differences.tsx';
import { optionProblems } from './options/option-values.ts';
import { storedOptions } from './saved/saved-values.ts';
import { SurveyFields } from './survey/survey-fields.tsx';

/** Values of the fields of a launch that another form contains. */
export type LaunchFormValues = Omit<NewTaskValues, 'build'>;

/** The form values of a template, with stored values where there are any. */
export const launchFormValues = (template: Template, stored?: LaunchValues): LaunchFormValues => {
  const { build: _, ...values } = startValues(
    template,
    stored && { ...storedOptions(template, stored), build_task_id: null },
  );
  return values;
};

/** Errors by field. A stored secret answer may stay empty. */
export const launchProblems = (
  template: Template,
  values: LaunchFormValues,
  storedSecrets: readonly string[],
  text: (key: string) => string,
): Record<string, string> => {
  const answers = answerProblems(template, values).filter(
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
  /** The stored values; undefined for new ones. */
  stored: LaunchValues | undefined;
  /** Names of stored secret answers, which are kept while their fields stay empty. */
  storedSecrets: readonly string[];
}

/** The fields of a launch within another form: what its tasks are started with. */
export const LaunchFields = ({ template, form: within, stored, storedSecrets }: LaunchFieldsProps) => {
  const { t } = useTranslation();
  const optional = useOptional();
  const app = usePageApp(template.app);
  const form = within as NewTaskFormState;
  const kept = template.survey_vars.filter(({ name }) => storedSecrets.includes(name));
  const hosts = useHosts(template, form.values, app.features.limit);
  const parts = useLaunchParts({
    ...{ form, template, app, hosts },
    version: undefined,
    focusHosts: false,
    mayRun: true,
    hasCommit: false,
  });
  return (
    <>
      {stored ? (
        <LostOptions
          template={template}
          earlier={storedOptions(template, stored)}
          message={(options) => t('launch.lostStored', { options })}
        />
      ) : null}
      <LaunchText verb={t(templateTypeStyle(template.type).actionKey)} parts={parts} />
      <TextInput label={t('newTask.message')} maxLength={1024} {...optional} {...form.getInputProps('message')} />
      <SurveyFields form={form} template={template} mayRun />
      {kept.length === 0 ? null : (
        <p className="muted">
          {t('schedules.secretsStored', { names: kept.map(({ title, name }) => title || name).join(', ') })}
        </p>
      )}
      {app.features.arguments && template.allow_override_args_in_task ? <ArgumentsField form={form} app={app} /> : null}
    </>
  );
};
