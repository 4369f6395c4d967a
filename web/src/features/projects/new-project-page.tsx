import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { addProject } from '../../api/project-cache.ts';
import { projectsQuery, userQuery } from '../../api/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { EmptyState, PageHeader } from '../../ui/page/page.tsx';
import { PageLeaveGuard } from '../../ui/page/page-leave-guard.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import css from './new-project.module.css';
import { limitProblem, type NewProjectValues, nameProblem, newProjectBody } from './new-project-form.ts';

type OnCreated = (project: number, demo: boolean) => void;

const NewProjectForm = ({ onCreated, onCancel }: { onCreated: OnCreated; onCancel: (() => void) | undefined }) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const form = useForm<NewProjectValues>({
    initialValues: { name: '', max_parallel_tasks: '' },
    validate: {
      name: (value) => translate(nameProblem(value)),
      max_parallel_tasks: (value) => translate(limitProblem(value)),
    },
  });
  useTranslatedErrors(form);
  const translate = (key: string | undefined) => (key === undefined ? null : t(key));
  const create = useMutation({
    mutationFn: ({ values, demo }: { values: NewProjectValues; demo: boolean }) =>
      call('createProject', { body: newProjectBody(values, demo) }),
    onSuccess: async (project, { demo }) => {
      await addProject(client, project);
      showToast('ok', t('project.created', { name: project.name }));
      onCreated(project.id, demo);
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
    },
  });
  const submit = (demo: boolean) => form.onSubmit((values) => create.mutate({ values, demo }));
  const busy = (demo: boolean) => create.isPending && create.variables.demo === demo;
  return (
    <form className={css.form} onSubmit={submit(false)} noValidate>
      {/* After creating a project the page changes to it. */}
      <PageLeaveGuard hasChanges={form.isDirty() && !create.isPending} />
      {create.error ? <Alert colour="error">{errorText(create.error)}</Alert> : null}
      <TextInput label={t('project.name')} maxLength={255} autoFocus {...form.getInputProps('name')} />
      <TextInput
        label={t('project.limit')}
        description={t('project.limitHelp')}
        inputMode="numeric"
        {...form.getInputProps('max_parallel_tasks')}
      />
      <div className={css.actions}>
        <Button type="submit" variant="primary" busy={busy(false)} disabled={create.isPending}>
          {t('project.create')}
        </Button>
        <Button
          busy={busy(true)}
          disabled={create.isPending}
          onClick={() => {
            // A demo project needs no name from the user.
            if (form.values.name.trim() === '') form.setFieldValue('name', t('project.demoName'));
            const values = { ...form.values, name: form.values.name.trim() || t('project.demoName') };
            if (limitProblem(values.max_parallel_tasks) === undefined) create.mutate({ values, demo: true });
            else form.validate();
          }}
        >
          {t('project.createDemo')}
        </Button>
        {onCancel ? (
          <Button variant="quiet" disabled={create.isPending} onClick={onCancel}>
            {t('action.cancel')}
          </Button>
        ) : null}
      </div>
      <p className={css.demo}>{t('project.demoHelp')}</p>
    </form>
  );
};

/** Creates a project. Users without the right are referred to an administrator. */
export const NewProjectPage = ({ onCreated, onCancel }: { onCreated: OnCreated; onCancel: () => void }) => {
  const { t } = useTranslation();
  const { data: user } = useSuspenseQuery(userQuery());
  const { data: projects } = useSuspenseQuery(projectsQuery());
  return (
    <div className={css.page}>
      <PageHeader title={t('project.new')} />
      {user.can_create_project ? (
        <>
          {projects.length === 0 ? <p className="muted">{t('project.first')}</p> : null}
          <NewProjectForm onCreated={onCreated} onCancel={projects.length === 0 ? undefined : onCancel} />
        </>
      ) : (
        <EmptyState
          title={t(projects.length > 0 ? 'project.mayNotTitle' : 'project.noneTitle')}
          text={t(projects.length > 0 ? 'project.mayNotText' : 'project.noneText', { username: user.username })}
        />
      )}
    </div>
  );
};
