import { Checkbox, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AlertReceiver, ReceiverKind } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { queryKey } from '../../../api/keys.ts';
import { useSaving } from '../../../api/use-saving.ts';
import { FieldRow, FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { PasswordInput } from '../../../ui/forms/password-input.tsx';
import { useTranslatedErrors } from '../../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../../ui/toast/toast-store.ts';
import css from './alerts.module.css';
import {
  newReceiverValues,
  RECEIVER_KINDS,
  type ReceiverValues,
  receiverBody,
  receiverKindLabel,
  receiverProblems,
} from './receiver-values.ts';

interface ReceiverDialogProps {
  project: number;
  /** Undefined for a new receiver. */
  receiver: AlertReceiver | undefined;
  onClose: () => void;
}

/** Form of an alert receiver. Its address and secret can be replaced but never read. */
export const ReceiverDialog = ({ project, receiver, onClose }: ReceiverDialogProps) => {
  const { t } = useTranslation();
  const isNew = receiver === undefined;
  const form = useForm<ReceiverValues>({
    initialValues: newReceiverValues(receiver),
    validate: (values) =>
      Object.fromEntries(
        Object.entries(receiverProblems(values, isNew)).flatMap(([field, key]) => (key ? [[field, t(key)]] : [])),
      ),
  });
  useTranslatedErrors(form);
  const params = { project_id: project };
  const saving = useSaving<ReceiverValues>({
    send: (values) =>
      isNew
        ? call('createAlertReceiver', { params, body: receiverBody(values) })
        : call('updateAlertReceiver', { params: { ...params, receiver_id: receiver.id }, body: receiverBody(values) }),
    stale: queryKey.alertReceivers(project),
    onSaved: ({ name }) => {
      showToast('ok', t(isNew ? 'alerts.created' : 'alerts.saved', { name: name.trim() }));
      onClose();
    },
    onFields: (fields) => form.setErrors(fields),
  });
  const { kind, removeSecret } = form.values;
  const keeps = receiver?.has_secret ?? false;
  return (
    <FormDialog
      title={t(isNew ? 'alerts.newTitle' : 'alerts.editTitle')}
      which={receiver?.name}
      width={560}
      error={saving.error ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={t('alerts.save')}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      <FieldRow>
        <TextInput label={t('form.name')} maxLength={255} data-autofocus {...form.getInputProps('name')} />
        <Select
          label={t('column.type')}
          data={RECEIVER_KINDS.map((value) => ({ value, label: t(receiverKindLabel(value)) }))}
          allowDeselect={false}
          {...form.getInputProps('kind')}
          onChange={(value) => form.setFieldValue('kind', (value ?? 'webhook') as ReceiverKind)}
        />
      </FieldRow>
      <TextInput
        label={t('alerts.url')}
        description={t(isNew ? 'alerts.urlHelp' : 'alerts.urlKept')}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        {...form.getInputProps('url')}
      />
      {kind === 'webhook' ? (
        <>
          <PasswordInput
            label={t('alerts.secret')}
            description={t(keeps ? 'alerts.secretKept' : 'alerts.secretHelp')}
            autoComplete="new-password"
            maxLength={1024}
            disabled={removeSecret}
            {...form.getInputProps('secret')}
          />
          {keeps ? (
            <Checkbox
              className={css.gap ?? ''}
              label={t('alerts.removeSecret')}
              {...form.getInputProps('removeSecret', { type: 'checkbox' })}
            />
          ) : null}
        </>
      ) : null}
      <Checkbox label={t('alerts.active')} {...form.getInputProps('active', { type: 'checkbox' })} />
    </FormDialog>
  );
};
