import { Checkbox, MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import type { AppName, Schedule, Template, TemplateType } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../../api/api-error.ts';
import { queryKey } from '../../../api/keys.ts';
import {
  environmentsQuery,
  inventoryQuery,
  keysQuery,
  labelsQuery,
  repositoriesQuery,
  templatesQuery,
  viewsQuery,
} from '../../../api/queries.ts';
import { useRepositoryFiles } from '../../../api/use-runner-lookup.ts';
import { useSaving } from '../../../api/use-saving.ts';
import { PAGE_APPS, usePageApps } from '../../../apps/page-apps.ts';
import { listText } from '../../../lang/locale.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { FieldRow, FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { Choice } from '../../../ui/forms/choice.tsx';
import { CodeEditor } from '../../../ui/forms/code-editor.tsx';
import { ObjectSelect } from '../../../ui/forms/object-select.tsx';
import { SuggestInput } from '../../../ui/forms/suggest-input.tsx';
import { useOptional } from '../../../ui/forms/use-optional.ts';
import { useTranslatedErrors } from '../../../ui/forms/use-translated-errors.ts';
import { APPROVAL_LABELS } from '../../../ui/tasks/approval-labels.ts';
import { showToast } from '../../../ui/toast/toast-store.ts';
import { BadgeSetting } from './badge-setting.tsx';
import { EnvironmentField } from './environment-field.tsx';
import { LockFields } from './lock-fields.tsx';
import { OptionRows } from './options/option-rows.tsx';
import { VaultRows } from './options/vault-rows.tsx';
import { saveTemplate, type TemplateForm as Values } from './save-template.ts';
import { ScheduleFields } from './schedule-fields.tsx';
import { newScheduleValues } from './schedule-values.ts';
import { SurveyEditor } from './survey/survey-editor.tsx';
import { isOpen, isSurveyRefused } from './survey/survey-rows.ts';
import css from './template-form.module.css';
import { newTemplateValues, templateProblems } from './template-values.ts';
import { useCronCheck } from './use-cron-check.ts';
import { WebhooksLink } from './webhooks-link.tsx';

/** Time without a key press before the server checks a cron expression, in milliseconds. */
const CRON_DELAY_MS = 300;
/** Maximum number of labels of a template. */
const MAX_LABELS = 20;
const TYPES = [
  { value: 'task', labelKey: 'type.task' },
  { value: 'build', labelKey: 'type.build' },
  { value: 'deploy', labelKey: 'type.deploy' },
] as const;

export interface TemplateFormProps {
  project: number;
  /** Initial values of the fields. */
  item: Template | undefined;
  /** The template to change; undefined for a new one, including a copy. */
  id: number | undefined;
  schedules: readonly Schedule[];
  /** The view of a new template. */
  view: number | undefined;
  /** Field that is focused instead of the name. */
  focus: 'playbook' | 'max_minutes' | undefined;
  onClose: () => void;
  onSaved: (template: number) => void;
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <fieldset className={css.part}>
    <legend>{title}</legend>
    {children}
  </fieldset>
);

/** Form of a template. */
export const TemplateForm = ({ project, item, id, schedules, view, focus, onClose, onSaved }: TemplateFormProps) => {
  const { t } = useTranslation();
  const apps = usePageApps();
  const { data: inventories } = useQuery(inventoryQuery(project));
  const { data: environments } = useQuery(environmentsQuery(project));
  const { data: repositories } = useQuery(repositoriesQuery(project));
  const { data: keys } = useQuery(keysQuery(project));
  const passwordKeys = keys?.filter(({ type }) => type === 'login_password');
  const { data: views } = useQuery(viewsQuery(project));
  const { data: labels = [] } = useQuery(labelsQuery(project));
  const { data: templates } = useQuery(templatesQuery(project));
  /** A new schedule without values needs a default for each required variable. */
  const scheduleProblem = ({ schedule, survey_vars }: Values): Record<string, string> => {
    const open = survey_vars.find(isOpen);
    if (schedules.length > 0 || schedule.cron_format.trim() === '' || !open) return {};
    return { 'schedule.cron_format': t('schedule.needsAnswer', { title: open.title || open.name }) };
  };
  const form = useForm<Values>({
    initialValues: { ...newTemplateValues(item, view), schedule: newScheduleValues(schedules) },
    validate: (values) => ({
      ...Object.fromEntries(
        Object.entries(templateProblems(values, apps[values.app] ?? PAGE_APPS.ansible)).flatMap(([field, key]) =>
          key === undefined ? [] : [[field, t(key)]],
        ),
      ),
      ...scheduleProblem(values),
    }),
  });
  useTranslatedErrors(form);
  const saving = useSaving<Values, number>({
    send: (values) => saveTemplate(project, id, schedules, values),
    stale: queryKey.project(project),
    onSaved: ({ name }, template) => {
      showToast('ok', t(id === undefined ? 'templateForm.created' : 'templateForm.saved', { name: name.trim() }));
      onSaved(template);
    },
    onFields: ({ cron_format, max_duration, ...fields }) =>
      form.setErrors({
        ...fields,
        ...(cron_format === undefined ? {} : { 'schedule.cron_format': cron_format }),
        ...(max_duration === undefined ? {} : { max_minutes: max_duration }),
      }),
  });
  // A refused cron is checked again while the user types, so that the alert disappears once it is valid.
  const isCronRefused = saving.error instanceof ApiError && saving.error.fields.cron_format !== undefined;
  const [cron] = useDebouncedValue(form.values.schedule.cron_format.trim(), CRON_DELAY_MS);
  const isCronValid = useCronCheck(
    project,
    cron,
    isCronRefused && cron !== saving.variables?.schedule.cron_format.trim(),
  );
  const isSurveyWrong = saving.error instanceof ApiError && isSurveyRefused(saving.error.fields);
  const { reset } = saving;
  useEffect(() => {
    if (isCronRefused && isCronValid) reset();
  }, [isCronRefused, isCronValid, reset]);
  const field = form.getInputProps;
  const optional = useOptional();
  // A copy is saved as a new template, which was not imported.
  const lost = (id === undefined ? undefined : item?.lost_at_import) ?? [];
  const { type } = form.values;
  const app = apps[form.values.app] ?? PAGE_APPS.ansible;
  const files = useRepositoryFiles(project, Number(form.values.repository_id) || undefined);
  return (
    <FormDialog
      title={t(id === undefined ? 'templateForm.new' : 'templateForm.edit')}
      which={id === undefined ? undefined : item?.name}
      width={800}
      error={isSurveyWrong ? t('survey.invalid') : saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('templateForm.save')}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      {lost.length > 0 ? <Alert colour="stop">{t('templateForm.lost', { fields: listText(lost) })}</Alert> : null}
      {Object.keys(apps).length > 1 ? (
        <Choice
          label={t('templateForm.app')}
          options={Object.entries(apps).map(([value, { title }]) => ({ value, label: title }))}
          value={form.values.app}
          onChange={(value) => form.setFieldValue('app', value as AppName)}
        />
      ) : null}
      <Choice
        label={t('column.type')}
        options={TYPES.map(({ value, labelKey }) => ({ value, label: t(labelKey) }))}
        value={type === '' ? 'task' : type}
        onChange={(value) => form.setFieldValue('type', (value === 'task' ? '' : value) as TemplateType)}
      />
      <FieldRow>
        <TextInput
          label={t('form.name')}
          maxLength={255}
          data-autofocus={focus === undefined || undefined}
          {...field('name')}
        />
        <ObjectSelect
          label={t('templateForm.view')}
          placeholder={t('templates.all')}
          icon="templates"
          items={views?.map((one) => ({ id: one.id, name: one.title }))}
          isOptional
          {...field('view_id')}
        />
      </FieldRow>
      {labels.length > 0 ? (
        <MultiSelect
          label={t('labels.title')}
          data={labels.map((one) => ({ value: String(one.id), label: one.name }))}
          searchable
          clearable
          {...optional}
          maxValues={MAX_LABELS}
          nothingFoundMessage={t('list.noMatch')}
          {...field('labels')}
        />
      ) : null}
      <Textarea
        label={t('templateForm.description')}
        description={t('templateForm.descriptionHelp')}
        rows={2}
        maxLength={4096}
        {...optional}
        {...field('description')}
      />
      {type === 'build' ? (
        <TextInput
          label={t('templateForm.startVersion')}
          description={t('templateForm.startVersionHelp')}
          maxLength={64}
          placeholder="1.0.0"
          {...field('start_version')}
        />
      ) : null}
      {type === 'deploy' ? (
        <>
          <ObjectSelect
            label={t('templateForm.buildTemplate')}
            placeholder={t('templateForm.chooseBuild')}
            icon="build"
            items={templates?.filter((one) => one.type === 'build')}
            {...field('build_template_id')}
          />
          <Checkbox
            className={css.gap ?? ''}
            label={t('templateForm.autorun')}
            {...field('autorun', { type: 'checkbox' })}
          />
        </>
      ) : null}
      <Part title={t('templateForm.what')}>
        <FieldRow>
          <ObjectSelect
            label={t('column.repository')}
            placeholder={t('templateForm.chooseRepository')}
            icon="repository"
            items={repositories}
            create="repository"
            {...field('repository_id')}
          />
          <SuggestInput
            suggestions={app.file.suggestions(files.values)}
            label={t(app.file.label)}
            help={t(app.file.help)}
            placeholder={app.file.example}
            data-autofocus={focus === 'playbook' || undefined}
            {...field('playbook')}
            lookup={files.lookup}
            onFocus={files.onFocus}
          />
        </FieldRow>
        <FieldRow>
          {app.features.inventory ? (
            <ObjectSelect
              label={t('column.inventory')}
              placeholder={t('templateForm.chooseInventory')}
              icon="inventory"
              items={inventories}
              create="inventory"
              {...field('inventory_id')}
            />
          ) : null}
          <ObjectSelect
            label={t('column.environment')}
            placeholder={t('templateForm.chooseEnvironment')}
            icon="environment"
            items={environments}
            create="environment"
            {...field('environment_id')}
          />
        </FieldRow>
        <EnvironmentField project={project} form={form} keys={passwordKeys} />
        {app.features.vault ? (
          <ObjectSelect
            label={t('templateForm.vault')}
            help={t('templateForm.vaultHelp')}
            placeholder={t('keys.choose')}
            icon="key"
            items={passwordKeys}
            isOptional
            {...field('vault_key_id')}
          />
        ) : null}
        {app.features.vault ? (
          <VaultRows
            rows={form.values.vaults}
            keys={passwordKeys}
            errors={form.errors}
            onChange={(rows) => form.setFieldValue('vaults', rows)}
          />
        ) : null}
      </Part>
      <Part title={t('survey.title')}>
        <SurveyEditor
          rows={form.values.survey_vars}
          builds={templates?.filter((one) => one.type === 'build')}
          onChange={(rows) => form.setFieldValue('survey_vars', rows)}
          error={field('survey_vars').error}
          errors={form.errors}
        />
      </Part>
      <Part title={t('schedule.title')}>
        <ScheduleFields project={project} form={form} schedules={schedules} lost={lost} />
      </Part>
      {id === undefined ? null : (
        <Part title={t('webhooks.title')}>
          <WebhooksLink project={project} template={id} />
        </Part>
      )}
      {id === undefined ? null : (
        <Part title={t('publicLink.badge')}>
          <BadgeSetting project={project} template={id} />
        </Part>
      )}
      <Part title={t('optionRules.title')}>
        <OptionRows
          app={app}
          fields={form.values.options}
          rules={form.values.prompts}
          errors={form.errors}
          inventories={inventories}
          environments={environments}
          onFields={(options) => form.setFieldValue('options', options)}
          onRules={(prompts) => form.setFieldValue('prompts', prompts)}
        />
        {app.features.arguments ? (
          <>
            <CodeEditor
              label={t('newTask.arguments')}
              help={t('templateForm.argumentsHelp')}
              language="json"
              value={form.values.arguments}
              onChange={(value) => form.setFieldValue('arguments', value)}
              error={field('arguments').error}
              example={app.argumentsExample}
            />
            <Checkbox
              className={css.gap ?? ''}
              label={t('templateForm.allowOverride')}
              {...field('allow_override_args_in_task', { type: 'checkbox' })}
            />
          </>
        ) : null}
      </Part>
      <Part title={t('templateForm.how')}>
        <Select
          label={t('approval.title')}
          description={form.values.approval === 'none' ? undefined : t('approval.help')}
          data={Object.entries(APPROVAL_LABELS).map(([value, label]) => ({ value, label: t(label) }))}
          allowDeselect={false}
          {...field('approval')}
        />
        <div className={css.checks}>
          <Checkbox label={t('templateForm.allowParallel')} {...field('allow_parallel_tasks', { type: 'checkbox' })} />
          <Checkbox
            label={t('templateForm.suppressAlerts')}
            {...field('suppress_success_alerts', { type: 'checkbox' })}
          />
        </div>
        <LockFields form={form} hasHosts={app.features.inventory} />
        <FieldRow>
          <TextInput
            label={t('templateForm.maxMinutes')}
            description={t('templateForm.maxMinutesHelp')}
            inputMode="decimal"
            data-autofocus={focus === 'max_minutes' || undefined}
            {...field('max_minutes')}
          />
          <TextInput
            label={t('templateForm.keepMin')}
            description={t('templateForm.keepHelp')}
            inputMode="numeric"
            {...field('keep_tasks_min')}
          />
        </FieldRow>
        <FieldRow>
          <TextInput
            label={t('templateForm.keepTasks')}
            description={t('templateForm.keepHelp')}
            inputMode="numeric"
            {...field('keep_tasks_days')}
          />
          <TextInput
            label={t('templateForm.keepLogs')}
            description={t('templateForm.keepHelp')}
            inputMode="numeric"
            {...field('keep_logs_days')}
          />
        </FieldRow>
      </Part>
    </FormDialog>
  );
};
