import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { SenderCheck, Webhook } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { FieldRow } from '../../ui/dialogs/form-dialog.tsx';
import { PasswordInput } from '../../ui/forms/password-input.tsx';
import { CHECK_HELP, CHECK_LABELS } from './webhook-labels.ts';
import type { WebhookFormValues } from './webhook-values.ts';

/** Checks of any sender, so no header of it is known. */
const WITHOUT_DELIVERY: ReadonlySet<SenderCheck> = new Set(['hmac', 'bearer', 'none']);

const SIGNATURE_EXAMPLE = 'X-Signature';

interface SenderFieldsProps {
  form: Pick<UseFormReturnType<WebhookFormValues>, 'values' | 'getInputProps'>;
  item: Webhook | undefined;
}

/** How the sender of a call proves that it knows the secret. */
export const SenderFields = ({ form, item }: SenderFieldsProps) => {
  const { t } = useTranslation();
  const check = form.values.sender_check;
  return (
    <>
      <FieldRow>
        <Select
          label={t('webhooks.check')}
          description={t(CHECK_HELP[check])}
          allowDeselect={false}
          data={Object.entries(CHECK_LABELS).map(([value, key]) => ({ value, label: t(key) }))}
          {...form.getInputProps('sender_check')}
        />
        {check === 'none' ? null : (
          <PasswordInput
            label={t('webhooks.secret')}
            description={t(item?.has_secret ? 'webhooks.secretKept' : 'webhooks.secretHelp')}
            autoComplete="new-password"
            maxLength={1024}
            {...form.getInputProps('secret')}
          />
        )}
      </FieldRow>
      <FieldRow>
        {check === 'hmac' ? (
          <TextInput
            label={t('webhooks.signatureHeader')}
            placeholder={SIGNATURE_EXAMPLE}
            spellCheck={false}
            maxLength={100}
            {...form.getInputProps('signature_header')}
          />
        ) : null}
        <TextInput
          label={t('webhooks.deliveryHeader')}
          description={t('webhooks.deliveryHelp')}
          placeholder={WITHOUT_DELIVERY.has(check) ? '' : t('webhooks.deliveryDefault')}
          spellCheck={false}
          maxLength={100}
          {...form.getInputProps('delivery_header')}
        />
      </FieldRow>
    </>
  );
};
