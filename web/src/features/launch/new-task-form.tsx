import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { LaunchLimits, LaunchValues, SavedLaunch, Task, Template } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
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
import { useErrorFocus } from '../../ui/forms/use-error-focus.ts';
import { useOptional } from '../../ui/forms/use-optional.ts';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { templateTypeStyle } from '../../ui/tasks/template-type.ts';
import { ArgumentsField } from './arguments-field.tsx';
import { BuildChoice, useBuilds } from './build-choice.tsx';
import { Filled, type Origin } from './filled.tsx';
import { FreezeNotice, useActiveFreeze } from './freeze-notice.tsx';
import { GrantNotice } from './granted/grant-notice.tsx';
import { fittingGrant, type GrantedTemplate, narrowTemplate } from './granted/granted-template.ts';
import { useHosts } from './hosts/use-hosts.ts';
import css from './new-task.module.css';
import {
  answerProblems,
  type NewTaskValues,
  newTaskBody,
  newTaskProblems,
  refitValues,
  serverFields,
  startValues,
} from './new-task-values.ts';
import { useLaunchParts } from './options/launch-parts.tsx';
import { LaunchText, SLOT } from './options/launch-text.tsx';
import { hostsOfLimit, RetriedHosts } from './retried-hosts.tsx';
import { SavedHead } from './saved/saved-head.tsx';
import { SavedStrip } from './saved/saved-strip.tsx';
import { filledValues } from './saved/saved-values.ts';
import { useSavedLaunches } from './saved/use-saved-launches.ts';
import { StartButton } from './start-button.tsx';
import { SurveyFields } from './survey/survey-fields.tsx';
import { WhatWillRun } from './what-will-run.tsx';

export interface NewTaskFormProps {
  template: Template;
  earlier: Task | undefined;
  /** The saved launch that fills the form. */
  saved?: SavedLaunch | undefined;
  /** The values of the schedule that fill the form. */
  scheduled?: LaunchValues | undefined;
  /** Hosts that the form starts with as its limit, instead of those of the earlier task. */
  limit?: string | undefined;
  /** Field that is focused instead of the message. */
  focus?: 'limit' | undefined;
  /** What the grants fix with which the user may run the template; empty if tasks are not limited. */
  limits: readonly LaunchLimits[];
  /** False for guests: they see what would run but can't start it. */
  mayRun: boolean;
  /** Whether the user may change saved launches that are shared. */
  mayShare: boolean;
  onClose: () => void;
  onStarted: (task: number) => void;
}

const useNewTaskForm = (
  template: GrantedTemplate,
  { earlier, saved, scheduled, limit }: Omit<NewTaskFormProps, 'template'>,
) => {
  const { t } = useTranslation();
  const count = limit === undefined ? 0 : hostsOfLimit(limit).length;
  const retry =
    earlier && count > 0 ? t('newTask.retry', { id: earlier.id, count, number: numberText(count) }) : undefined;
  const retryMessage = retry && earlier?.message ? `${retry}: ${earlier.message}` : retry;
  const form = useForm<NewTaskValues>({
    initialValues: saved
      ? filledValues(template, saved, '')
      : startValues(template, scheduled ? { ...scheduled, build_task_id: null } : earlier, limit, retryMessage),
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

/** The form of a new task, next to an overview of what it will run. */
export const NewTaskForm = (props: NewTaskFormProps) => {
  const { earlier, saved, limit, limits, focus, mayRun, mayShare, onClose, onStarted } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const [grant, setGrant] = useState(() => fittingGrant(limits, saved?.launch_values ?? earlier));
  const template = narrowTemplate(props.template, limits[grant]);
  const app = usePageApp(template.app);
  const form = useNewTaskForm(template, props);
  const [from, setFrom] = useState<Origin | undefined>(
    saved ? { launch: saved } : earlier && { task: earlier, hasOwnLimit: limit !== undefined },
  );
  const { asked, ask, request } = useSavedLaunches({
    template,
    values: form.values,
    onCurrent: (launch) => setFrom(launch && { launch }),
  });
  const { fields, focusError } = useErrorFocus<HTMLFieldSetElement>();
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
      if (!(error instanceof ApiError)) return;
      form.setErrors(serverFields(error.fields));
      focusError();
    },
  });
  const guard = useLeaveGuard(mayRun && isFilled(form), onClose);
  const optional = useOptional();
  const typeStyle = templateTypeStyle(template.type);
  const freeze = useActiveFreeze(template, form.values.inventory_id);
  const current = from && 'launch' in from ? from.launch : undefined;
  const send = (changed: Partial<NewTaskValues> = {}) =>
    form.onSubmit((values) => {
      if (!freeze || values.freeze_reason.trim() !== '') return start.mutate({ ...values, ...changed });
      form.setFieldError('freeze_reason', t('freeze.startReasonRequired'));
      focusError();
    }, focusError);
  const version = template.type === 'deploy' ? (build?.version ?? undefined) : undefined;
  const reason = useId();
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
      actions={
        mayRun ? (
          <SavedHead
            template={template}
            current={current && (mayShare || !current.shared) ? current : undefined}
            onSave={() => ask('name')}
            onReplace={(launch) => request.mutate({ kind: 'replace', launch })}
            onDelete={ask}
            onChoose={(launch) => {
              form.setValues(filledValues(template, launch, form.values.build));
              form.clearErrors();
              setFrom({ launch });
            }}
          />
        ) : undefined
      }
      strip={
        asked ? (
          <SavedStrip
            key={asked === 'name' ? 'name' : asked.id}
            deleted={asked === 'name' ? undefined : asked}
            mayShare={mayShare}
            isBusy={request.isPending}
            error={request.error}
            onSave={(name, shared) => request.mutate({ kind: 'create', name, shared })}
            onDelete={(launch) => request.mutate({ kind: 'delete', launch })}
            onClose={() => ask(undefined)}
          />
        ) : undefined
      }
      onSubmit={(event) => {
        guard.stay();
        send()(event);
      }}
      footer={
        guard.isAsking ? (
          <LeaveConfirmation guard={guard} />
        ) : (
          <>
            <span className={css.foot} id={reason} role="status">
              {mayRun && hosts.isEmpty ? t('launch.noHosts') : null}
            </span>
            <Button variant="quiet" onClick={guard.close} data-autofocus={mayRun ? undefined : true}>
              {t(mayRun ? 'action.cancel' : 'action.close')}
            </Button>
            {mayRun && freeze?.mayStart !== false ? (
              <>
                {form.values.dry_run || !app.features.checkMode ? null : (
                  <Button disabled={start.isPending || hosts.isEmpty} onClick={() => send({ dry_run: true })()}>
                    {t('newTask.dryFirst')}
                  </Button>
                )}
                <StartButton
                  template={template}
                  version={version}
                  hosts={hosts}
                  busy={start.isPending}
                  reason={reason}
                />
              </>
            ) : null}
          </>
        )
      }
    >
      <div className={css.columns}>
        <fieldset className={css.form} disabled={!mayRun} ref={fields}>
          <legend className="sr">{t('newTask.which')}</legend>
          {mayRun ? null : <Alert colour="wait">{t('newTask.readOnly')}</Alert>}
          {mayRun ? (
            <GrantNotice
              template={template}
              limits={limits}
              chosen={grant}
              onChoose={(index) => {
                form.setValues(refitValues(template, narrowTemplate(props.template, limits[index]), form.values));
                setGrant(index);
              }}
            />
          ) : null}
          {freeze && mayRun ? <FreezeNotice freeze={freeze} form={form} /> : null}
          {template.approval !== 'none' && mayRun ? (
            <Alert colour="stop" shape="bars">
              {t(template.approval === 'other' ? 'approval.newTaskOther' : 'approval.newTask')}
            </Alert>
          ) : null}
          {start.error ? <Alert colour="error">{errorText(start.error)}</Alert> : null}
          {!asked && request.error ? <Alert colour="error">{errorText(request.error)}</Alert> : null}
          {from ? (
            <Filled
              template={template}
              from={from}
              onBlank={() => {
                form.setValues(startValues(template, undefined));
                setFrom(undefined);
              }}
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
            {...optional}
            data-autofocus={(mayRun && focus === undefined) || undefined}
            {...form.getInputProps('message')}
          />
          <SurveyFields form={form} template={template} mayRun={mayRun} />
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
