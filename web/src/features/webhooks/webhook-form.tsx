import { Switch, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { Template, Webhook } from '@signalbox/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { webhookCallQuery, webhookCallsQuery } from '../../api/queries.ts';
import { useSaving } from '../../api/use-saving.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { FieldRow } from '../../ui/dialogs/form-dialog.tsx';
import type { LaunchForm } from '../../ui/forms/launch-form.ts';
import { ObjectSelect } from '../../ui/forms/object-select.tsx';
import { useErrorFocus } from '../../ui/forms/use-error-focus.ts';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { PageHeader } from '../../ui/page/page.tsx';
import { PageLeaveGuard } from '../../ui/page/page-leave-guard.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import { ExtractorRows, MatcherRows } from './rule-rows.tsx';
import { SenderFields } from './sender-fields.tsx';
import { useSampleTest } from './use-sample-test.ts';
import { WebhookCalls } from './webhook-calls.tsx';
import { WebhookSample } from './webhook-sample.tsx';
import {
  type Sample,
  sampleOf,
  type WebhookFormValues,
  webhookFormBody,
  webhookFormProblems,
  webhookFormValues,
} from './webhook-values.ts';
import css from './webhooks.module.css';

export interface WebhookFormProps<V extends object> {
  project: number;
  templates: readonly Template[];
  item: Webhook | undefined;
  /** The template of a new webhook. */
  template: number | undefined;
  mayEdit: boolean;
  mayRun: boolean;
  launch: LaunchForm<V>;
  /** What is known of the address. */
  address: (values: WebhookFormValues) => ReactNode;
  onCreated: (id: number, address: string) => void;
  onClose: () => void;
}

/** Form of a webhook, with a sample call that shows what it would do, and the received calls. */
export const WebhookForm = <V extends object>(props: WebhookFormProps<V>) => {
  const { project, templates, item, mayEdit, mayRun, launch, address, onCreated, onClose } = props;
  const { t } = useTranslation();
  const id = useId();
  const client = useQueryClient();
  const [sample, setSample] = useState<Sample>({ headers: '', body: '' });
  const samplePart = useRef<HTMLElement>(null);
  // The calls are far below the sample.
  const tryCall = (call: Sample) => {
    setSample(call);
    samplePart.current?.focus();
  };
  const templateOf = (one: string | null) => templates.find((given) => String(given.id) === one);
  const own = webhookFormValues(item, props.template);
  const first = templateOf(own.template_id);
  const secrets = item?.secret_answers ?? [];
  const form = useForm<WebhookFormValues & V>({
    initialValues: { ...(first ? launch.values(first, item?.launch_values) : {}), ...own } as WebhookFormValues & V,
    validate: (values) => {
      const chosen = templateOf(values.template_id);
      const problems = Object.entries(webhookFormProblems(values, item)).map(([field, key]) => [field, t(key)]);
      // A required answer may come from the call.
      const given = values.extractors.map(({ variable }) => `answers.${variable}`);
      const ofLaunch = Object.entries(chosen ? launch.problems(chosen, values, secrets, t) : {});
      return Object.fromEntries([...ofLaunch.filter(([field]) => !given.includes(field)), ...problems]);
    },
  });
  useTranslatedErrors(form);
  // The form of the fields that every template has.
  const fields = form as unknown as UseFormReturnType<WebhookFormValues>;
  const { values } = fields;
  const template = templateOf(values.template_id);
  const testing = useSampleTest(project, { rules: values, sample }, mayEdit);
  const { data: calls } = useQuery({ ...webhookCallsQuery(project, item?.id ?? 0), enabled: item !== undefined });
  const last = calls?.[0];
  const params = { project_id: project };
  const { fields: part, focusError } = useErrorFocus<HTMLFieldSetElement>();
  const saving = useSaving<WebhookFormValues & V, { id: number; address: string } | undefined>({
    send: async (given) => {
      const chosen = templateOf(given.template_id);
      if (!chosen) return undefined;
      const body = webhookFormBody(given, launch.body(chosen, given));
      if (item === undefined) return await call('createWebhook', { params, body });
      await call('updateWebhook', { params: { ...params, webhook_id: item.id }, body });
      return undefined;
    },
    stale: queryKey.webhooks(project),
    onSaved: (given, created) => {
      showToast('ok', t('webhooks.saved'));
      if (created) return onCreated(created.id, created.address);
      form.setValues({ ...given, secret: '' });
      form.resetDirty({ ...given, secret: '' });
    },
    onFields: (named) => {
      form.setErrors(launch.serverFields(named));
      focusError();
    },
  });
  const choose = (chosen: string | null) => {
    const next = templateOf(chosen);
    // Another template has another survey.
    form.setValues({ ...(next ? launch.values(next) : {}), template_id: chosen } as Partial<WebhookFormValues & V>);
  };
  const show = (call_id: number | undefined) =>
    void (async () => {
      if (call_id === undefined || item === undefined) return;
      setSample(sampleOf(await client.fetchQuery(webhookCallQuery(project, item.id, call_id))));
    })().catch((error: unknown) => showToast('error', errorText(error)));
  const ofRow = (list: 'matchers' | 'extractors') => (n: number, field: string) =>
    form.errors[`${list}.${n}.${field}`] ?? testing.errors[`${list}.${values[list][n]?.key}.${field}`];
  const common = { test: testing.test, mayEdit };
  return (
    <>
      <PageHeader title={item?.name ?? t('webhooks.new')}>
        <Switch
          labelPosition="left"
          label={t('webhooks.active')}
          disabled={!mayEdit}
          {...fields.getInputProps('active', { type: 'checkbox' })}
        />
        <Button variant="quiet" onClick={onClose}>
          {t(mayEdit ? 'action.cancel' : 'action.close')}
        </Button>
        {mayEdit ? (
          <Button type="submit" form={id} variant="primary" busy={saving.isPending}>
            {t('webhooks.save')}
          </Button>
        ) : null}
      </PageHeader>
      <PageLeaveGuard hasChanges={mayEdit && form.isDirty()} />
      <form
        id={id}
        className={css.form}
        noValidate
        onSubmit={form.onSubmit((given) => saving.mutate(given), focusError)}
      >
        {mayEdit ? null : <Alert colour="wait">{t('newTask.readOnly')}</Alert>}
        {saving.error ? <Alert colour="error">{errorText(saving.error)}</Alert> : null}
        <fieldset ref={part} className={css.fields} disabled={!mayEdit}>
          <legend className="sr">{t('webhooks.title')}</legend>
          <FieldRow>
            <TextInput label={t('form.name')} maxLength={255} {...fields.getInputProps('name')} />
            <ObjectSelect
              label={t('template.title')}
              placeholder={t('schedules.chooseTemplate')}
              icon="templates"
              items={templates}
              {...fields.getInputProps('template_id')}
              onChange={choose}
            />
          </FieldRow>
          {address(values)}
          <SenderFields form={fields} item={item} />
          <MatcherRows
            {...common}
            rows={values.matchers}
            errorOf={ofRow('matchers')}
            onChange={(matchers) => fields.setFieldValue('matchers', matchers)}
          />
          {template ? (
            <ExtractorRows
              {...common}
              rows={values.extractors}
              template={template}
              errorOf={ofRow('extractors')}
              onChange={(extractors) => fields.setFieldValue('extractors', extractors)}
            />
          ) : null}
          {template ? (
            <section className={css.rules} aria-label={t('webhooks.startWith')}>
              <h2>
                {t('webhooks.startWith')} <small>{t('webhooks.startWithHelp')}</small>
              </h2>
              <launch.Fields
                key={template.id}
                template={template}
                form={form}
                stored={item?.template_id === template.id ? item.launch_values : undefined}
                storedSecrets={secrets}
              />
            </section>
          ) : null}
        </fieldset>
        {mayEdit ? (
          <WebhookSample
            ref={samplePart}
            template={template}
            rules={values}
            sample={sample}
            testing={testing}
            onChange={setSample}
            onUseLast={last ? () => show(last.id) : undefined}
          />
        ) : null}
      </form>
      {item ? <WebhookCalls webhook={item} mayEdit={mayEdit} mayRun={mayRun} onTry={tryCall} /> : null}
    </>
  );
};
