import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Task, Template } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { usePageApp } from '../../apps/page-apps.ts';
import { errorTexts } from '../../lang/error-texts.ts';
import { numberText } from '../../lang/locale.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { LeaveConfirmation, useLeaveGuard } from '../../ui/dialogs/leave-guard.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { TaskLink } from '../../ui/tasks/task-cells.tsx';
import { templateTypeStyle } from '../../ui/tasks/template-type.ts';
import { Ago } from '../../ui/time/times.tsx';
import { ArgumentsField } from './arguments-field.tsx';
import { BuildChoice, useBuilds } from './build-choice.tsx';
import { FreezeNotice, useActiveFreeze } from './freeze-notice.tsx';
import { useHosts } from './hosts/use-hosts.ts';
import css from './new-task.module.css';
import {
  answerProblems,
  type NewTaskValues,
  newTaskBody,
  newTaskProblems,
  serverFields,
  startValues,
} from './new-task-values.ts';
import { useLaunchParts } from './options/launch-parts.tsx';
import { LaunchText, SLOT } from './options/launch-text.tsx';
import { KeptOptions, LostOptions } from './options/option-differences.tsx';
import { hostsOfLimit, RetriedHosts } from './retried-hosts.tsx';
import { StartButton } from './start-button.tsx';
import { SurveyFields } from './survey/survey-fields.tsx';
import { WhatWillRun } from './what-will-run.tsx';

export interface NewTaskFormProps {
  template: Template;
  earlier: Task | undefined;
  /** Hosts that the form starts with as its limit, instead of those of the earlier task. */
  limit?: string | undefined;
  /** Field that is focused instead of the message. */
  focus?: 'limit' | undefined;
  /** False for guests: they see what would run but can't start it. */
  mayRun: boolean;
  onClose: () => void;
  onStarted: (task: number) => void;
}

const useNewTaskForm = (template: Template, earlier: Task | undefined, limit: string | undefined) => {
  const { t } = useTranslation();
  const count = limit === undefined ? 0 : hostsOfLimit(limit).length;
  const retry =
    earlier && count > 0 ? t('newTask.retry', { id: earlier.id, count, number: numberText(count) }) : undefined;
  const retryMessage = retry && earlier?.message ? `${retry}: ${earlier.message}` : retry;
  const form = useForm<NewTaskValues>({
    initialValues: startValues(template, earlier, limit, retryMessage),
    validate: (values) =>
      Object.fromEntries([
        ...answerProblems(template, values).map(([field, problem]) => [field, errorTexts.own(problem)]),
        ...Object.entries(newTaskProblems(template, values)).map(([field, problem]) => [field, t(problem.key)]),
      ]),
  });
  useTranslatedErrors(form);
  return form;
};

export type NewTaskFormState = ReturnType<typeof useNewTaskForm>;

/** Whether the user entered anything. The newest build is preselected and does not count. */
const isFilled = (form: NewTaskFormState): boolean =>
  Object.keys(form.values).some((field) => field !== 'build' && form.isDirty(field));

interface FilledProps {
  template: Template;
  earlier: Task;
  /** Whether the limit is not that of the earlier task. */
  hasOwnLimit: boolean;
  onBlank: () => void;
}

const Filled = ({ template, earlier, hasOwnLimit, onBlank }: FilledProps) => {
  const { t } = useTranslation();
  return (
    <p className={css.again}>
      <Icon name="again" />
      <span>
        {t('newTask.filled')} <TaskLink id={earlier.id} />
        {t('separator.comma')}
        <Ago at={earlier.created} />
        {t('separator.stop')}
        <KeptOptions template={template} earlier={earlier} except={hasOwnLimit ? 'limit' : undefined} />
      </span>
      <button type="button" className={css.blank} onClick={onBlank}>
        {t('newTask.blank')}
      </button>
    </p>
  );
};

/** The form of a new task, next to an overview of what it will run. */
export const NewTaskForm = ({ template, earlier, limit, focus, mayRun, onClose, onStarted }: NewTaskFormProps) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const app = usePageApp(template.app);
  const form = useNewTaskForm(template, earlier, limit);
  const [from, setFrom] = useState(earlier);
  const builds = useBuilds(template);
  const build = builds.data?.find(({ id }) => String(id) === form.values.build);
  const start = useMutation({
    mutationFn: (values: NewTaskValues) =>
      call('createTask', { params: { project_id: template.project_id }, body: newTaskBody(template, values) }),
    onSuccess: (task) => {
      client.setQueryData(queryKey.task(task.project_id, task.id), task);
      onStarted(task.id);
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(serverFields(error.fields));
    },
  });
  const guard = useLeaveGuard(mayRun && isFilled(form), onClose);
  const typeStyle = templateTypeStyle(template.type);
  const freeze = useActiveFreeze(template, form.values.inventory_id);
  const send = (changed: Partial<NewTaskValues> = {}) =>
    form.onSubmit(
      (values) => {
        if (!freeze || values.freeze_reason.trim() !== '') return start.mutate({ ...values, ...changed });
        form.setFieldError('freeze_reason', t('freeze.startReasonRequired'));
        form.getInputNode('freeze_reason')?.focus();
      },
      (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
    );
  const version = template.type === 'deploy' ? (build?.version ?? undefined) : undefined;
  const hosts = useHosts(template, form.values, app.features.limit);
  const parts = useLaunchParts({ form, template, app, hosts, version, focusHosts: focus === 'limit', mayRun });
  return (
    <Dialog
      opened
      isRead={!mayRun}
      onClose={guard.close}
      width={920}
      padded={false}
      title={
        <span className={css.title}>
          <Icon name={typeStyle.icon} />
          {template.name}
        </span>
      }
      which={t('newTask.which')}
      onSubmit={(event) => {
        guard.stay();
        send()(event);
      }}
      footer={
        guard.isAsking ? (
          <LeaveConfirmation guard={guard} />
        ) : (
          <>
            <span className={css.foot} />
            <Button variant="quiet" onClick={guard.close} data-autofocus={mayRun ? undefined : true}>
              {t(mayRun ? 'action.cancel' : 'action.close')}
            </Button>
            {mayRun && freeze?.mayStart !== false ? (
              <>
                {form.values.dry_run || !app.features.checkMode ? null : (
                  <Button disabled={start.isPending} onClick={() => send({ dry_run: true })()}>
                    {t('newTask.dryFirst')}
                  </Button>
                )}
                <StartButton template={template} version={version} hosts={hosts} busy={start.isPending} />
              </>
            ) : null}
          </>
        )
      }
    >
      <div className={css.columns}>
        <fieldset className={css.form} disabled={!mayRun}>
          <legend className="sr">{t('newTask.which')}</legend>
          {mayRun ? null : <Alert colour="wait">{t('newTask.readOnly')}</Alert>}
          {freeze && mayRun ? <FreezeNotice freeze={freeze} form={form} /> : null}
          {start.error ? <Alert colour="error">{errorText(start.error)}</Alert> : null}
          {from ? (
            <Filled
              template={template}
              earlier={from}
              hasOwnLimit={limit !== undefined}
              onBlank={() => {
                form.setValues(startValues(template, undefined));
                setFrom(undefined);
              }}
            />
          ) : null}
          {from ? (
            <LostOptions
              template={template}
              earlier={from}
              message={(options) => t('launch.lost', { id: from.id, options })}
            />
          ) : null}
          <LaunchText
            verb={t(typeStyle.actionKey)}
            parts={[
              ...(version
                ? [
                    {
                      field: 'version',
                      label: t('newTask.build'),
                      phrase: SLOT,
                      value: version,
                      isMono: true,
                    },
                  ]
                : []),
              ...parts,
            ]}
            opened={focus}
          />
          {template.type === 'deploy' ? <BuildChoice form={form} builds={builds} /> : null}
          <TextInput
            label={t('newTask.message')}
            maxLength={1024}
            data-autofocus={(mayRun && focus === undefined) || undefined}
            {...form.getInputProps('message')}
          />
          <SurveyFields form={form} survey={template.survey_vars} />
          {earlier && limit !== undefined && form.values.limit === limit ? (
            <RetriedHosts project={template.project_id} task={earlier.id} limit={limit} />
          ) : null}
          {app.features.arguments && template.allow_override_args_in_task ? (
            <ArgumentsField form={form} app={app} />
          ) : null}
        </fieldset>
        <WhatWillRun template={template} build={build} form={form} hosts={hosts} />
      </div>
    </Dialog>
  );
};
