import { Checkbox, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ExecutionEnvironment, Language, Project } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { mutationKey, queryKey } from '../../api/keys.ts';
import { removeProject } from '../../api/project-cache.ts';
import { infoQuery, keysQuery, projectsQuery, roleQuery, userQuery } from '../../api/queries.ts';
import { runnersQuery } from '../../api/runner-queries.ts';
import { useDeletion } from '../../api/use-deletion.ts';
import { useSaving } from '../../api/use-saving.ts';
import { LANGUAGE_CODES, LANGUAGES } from '../../lang/languages.ts';
import { mayDo } from '../../ui/access/permissions.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { EnvironmentInput } from '../../ui/execution-environment/environment-input.tsx';
import { environmentText } from '../../ui/execution-environment/environment-text.ts';
import { errorsOfTags, RunnerTagsInput } from '../../ui/forms/runner-tags-input.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { PageHeader } from '../../ui/page/page.tsx';
import { PageLeaveGuard } from '../../ui/page/page-leave-guard.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { ChatTest } from './alerts/chat-test.tsx';
import { FeedSetting } from './feed-setting.tsx';
import { limitProblem, nameProblem } from './new-project-form.ts';
import css from './project-settings.module.css';
import { RetentionInputs } from './retention/retention-inputs.tsx';
import { type RetentionFields, retentionBody, retentionChecks, retentionFields } from './retention/retention-values.ts';

const Receivers = lazyPart(() => import('./alerts/receivers.tsx'), 'Receivers');
const Deliveries = lazyPart(() => import('./alerts/deliveries.tsx'), 'Deliveries');

interface SettingsValues {
  name: string;
  max_parallel_tasks: string;
  alert: boolean;
  alert_chat: string;
  alert_language: Language;
  alert_silent_hosts: boolean;
  collect_facts: boolean;
  retention: RetentionFields;
  runner_tags: string[];
  execution_environment: ExecutionEnvironment | null;
}

const valuesOf = (project: Project): SettingsValues => ({
  name: project.name,
  max_parallel_tasks: String(project.max_parallel_tasks),
  alert: project.alert,
  alert_chat: project.alert_chat,
  alert_language: project.alert_language,
  alert_silent_hosts: project.alert_silent_hosts,
  collect_facts: project.collect_facts,
  retention: retentionFields(project),
  runner_tags: project.runner_tags,
  execution_environment: project.execution_environment,
});

/** Warns an administrator, who knows the runners, about tags that no runner has. */
const MissingTags = ({ tags }: { tags: readonly string[] }) => {
  const { t } = useTranslation();
  const { data: runners } = useQuery(runnersQuery());
  const isMissing = tags.length > 0 && runners?.every((runner) => tags.some((tag) => !runner.tags.includes(tag)));
  return (
    <p className={css.tags} role="status">
      {isMissing ? t('settings.noRunnerWithTags') : ''}
    </p>
  );
};

const SettingsForm = ({ project }: { project: Project }) => {
  const { t } = useTranslation();
  const { data: user } = useQuery(userQuery());
  const { data: info } = useQuery(infoQuery());
  const { data: keys } = useQuery(keysQuery(project.id));
  const client = useQueryClient();
  const translate = (key: string | undefined) => (key === undefined ? null : t(key));
  const form = useForm<SettingsValues>({
    initialValues: valuesOf(project),
    validate: {
      name: (value) => translate(nameProblem(value)),
      max_parallel_tasks: (value) => translate(limitProblem(value)),
      retention: retentionChecks(translate),
    },
  });
  useTranslatedErrors(form);
  const saving = useSaving<SettingsValues>({
    send: ({ name, max_parallel_tasks, runner_tags, retention, ...alerts }) =>
      call('updateProject', {
        params: { project_id: project.id },
        body: {
          name: name.trim(),
          max_parallel_tasks: Number(max_parallel_tasks || '0'),
          ...alerts,
          ...retentionBody(retention),
          ...(user?.admin ? { runner_tags } : {}),
        },
      }),
    stale: queryKey.projects,
    onSaved: (values) => {
      showToast('ok', t('settings.saved', { name: values.name.trim() }));
      form.resetDirty(values);
      void client.invalidateQueries({ queryKey: queryKey.project(project.id) });
    },
    onFields: (fields) => form.setErrors(errorsOfTags(fields, 'runner_tags')),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows what another user saved, unless this form has changes
  useEffect(() => {
    if (form.isDirty()) return;
    form.setValues(valuesOf(project));
    form.resetDirty(valuesOf(project));
  }, [project]);
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={form.onSubmit(
        (values) => saving.mutate(values),
        (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
      )}
    >
      <PageLeaveGuard hasChanges={form.isDirty()} />
      {saving.error ? <Alert colour="error">{errorText(saving.error)}</Alert> : null}
      <TextInput label={t('project.name')} maxLength={255} {...form.getInputProps('name')} />
      <TextInput
        label={t('project.limit')}
        description={t('project.limitHelp')}
        inputMode="numeric"
        {...form.getInputProps('max_parallel_tasks')}
      />
      <RunnerTagsInput
        label={t('settings.runnerTags')}
        description={t('settings.runnerTagsHelp')}
        placeholder={t('settings.anyRunner')}
        disabled={!user?.admin}
        {...form.getInputProps('runner_tags')}
      />
      {user?.admin ? <MissingTags tags={form.values.runner_tags} /> : null}
      <EnvironmentInput
        value={form.values.execution_environment}
        onChange={(value) => form.setFieldValue('execution_environment', value)}
        inherited={t('executionEnvironment.ofSystem', {
          kind: environmentText(t, info?.default_execution_environment ?? { kind: 'system' }),
        })}
        allowed={info?.execution_environments ?? []}
        keys={keys?.filter(({ type }) => type === 'login_password')}
        errors={form.errors}
      />
      <Checkbox
        label={t('settings.collectFacts')}
        description={t('settings.collectFactsHelp')}
        {...form.getInputProps('collect_facts', { type: 'checkbox' })}
      />
      <RetentionInputs form={form} project={project.id} />
      <Checkbox
        className={css.gap ?? ''}
        label={t('settings.alert')}
        {...form.getInputProps('alert', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('settings.alertSilent')}
        disabled={!form.values.alert}
        {...form.getInputProps('alert_silent_hosts', { type: 'checkbox' })}
      />
      <TextInput
        label={t('settings.chat')}
        description={t('settings.chatHelp')}
        maxLength={255}
        {...form.getInputProps('alert_chat')}
      />
      {project.alert_chat === '' ? null : <ChatTest project={project.id} isSaved={!form.isDirty('alert_chat')} />}
      <Select
        label={t('alerts.language')}
        description={t('alerts.languageHelp')}
        data={LANGUAGE_CODES.map((code) => ({ value: code, label: LANGUAGES[code].name }))}
        allowDeselect={false}
        {...form.getInputProps('alert_language')}
        onChange={(value) => form.setFieldValue('alert_language', (value ?? 'en') as Language)}
      />
      <Button type="submit" variant="primary" busy={saving.isPending} disabled={!form.isDirty()}>
        {t('settings.save')}
      </Button>
    </form>
  );
};

const Danger = ({ project, onDeleted }: { project: Project; onDeleted: () => Promise<void> }) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const { deletion, ask, confirm, close } = useDeletion<Project>({
    key: mutationKey.deleteProject(project.id),
    remove: ({ id }) => call('deleteProject', { params: { project_id: id } }),
    onRemoved: async ({ id, name }) => {
      showToast('ok', t('settings.deleted', { name: name || `#${id}` }));
      await removeProject(client, id);
      await onDeleted();
      client.removeQueries({ queryKey: queryKey.project(id) });
    },
    onRefused: (text) => showToast('error', text),
  });
  return (
    <section className={css.danger} aria-label={t('settings.deleteTitle')}>
      <h2>{t('settings.deleteTitle')}</h2>
      <p>{t('settings.deleteText')}</p>
      <Button
        variant="stop"
        icon="trash"
        onClick={() => {
          setTyped('');
          ask(project);
        }}
      >
        {t('settings.deleteTitle')}
      </Button>
      {deletion ? (
        <ConfirmDialog
          title={t('settings.deleteTitle')}
          which={project.name}
          action={t('action.delete')}
          isBusy={confirm.isPending}
          isReady={typed.trim() === project.name.trim()}
          onConfirm={() => confirm.mutate(project)}
          onClose={close}
        >
          <p>{t('settings.deleteText')}</p>
          <TextInput
            label={t('settings.typeName', { name: project.name })}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </ConfirmDialog>
      ) : null}
    </section>
  );
};

interface ProjectSettingsProps {
  project: number;
  tabs: ReactNode;
  /** Navigates to another project. */
  onDeleted: () => Promise<void>;
}

/** Name, limits and alerts of a project, and its deletion. */
export const ProjectSettings = ({ project, tabs, onDeleted }: ProjectSettingsProps) => {
  const { t } = useTranslation();
  const { data: projects } = useQuery(projectsQuery());
  const { data: role } = useQuery(roleQuery(project));
  const found = projects?.find(({ id }) => id === project);
  return (
    <>
      <PageHeader title={t('history.dashboard')} />
      {tabs}
      {role && !mayDo(role, 'update_project') ? (
        <div className={css.form}>
          <Alert colour="wait">{t('newTask.readOnly')}</Alert>
        </div>
      ) : null}
      {found && mayDo(role, 'update_project') ? (
        <>
          <SettingsForm key={found.id} project={found} />
          <Suspense>
            <Receivers project={found.id} />
            <Deliveries project={found.id} />
          </Suspense>
          <FeedSetting project={found.id} />
          <Danger project={found} onDeleted={onDeleted} />
        </>
      ) : null}
    </>
  );
};
