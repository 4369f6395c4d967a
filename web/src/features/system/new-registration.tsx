import { MAX_REGISTRATIONS } from 'virtual:routes';
import { NumberInput, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { useSaving } from '../../api/use-saving.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { errorsOfTags, RunnerTagsInput } from '../../ui/forms/runner-tags-input.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import css from './registrations.module.css';

const HOUR_S = 60 * 60;

/** Seconds for which a new token can be valid, with their texts. */
const VALIDITIES = [
  [HOUR_S, 'registrations.hour'],
  [24 * HOUR_S, 'registrations.day'],
  [30 * 24 * HOUR_S, 'registrations.month'],
  [365 * 24 * HOUR_S, 'registrations.year'],
] as const;

const NEW = { name: '', tags: [] as string[], uses: 1 as number | string, valid: String(HOUR_S) };
type Values = typeof NEW;

/** Form of a new registration token. */
export const NewRegistration = ({ onCreated }: { onCreated: (token: string) => void }) => {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: NEW,
    validate: { name: (name) => (name.trim() === '' ? t('form.nameRequired') : null) },
  });
  useTranslatedErrors(form);
  const creating = useSaving<Values, { token: string }>({
    send: ({ name, tags, uses, valid }) =>
      call('createRunnerRegistration', {
        body: { name: name.trim(), tags, uses: uses === '' ? 1 : Number(uses), valid_seconds: Number(valid) },
      }),
    stale: queryKey.runnerRegistrations,
    onSaved: (_, { token }) => {
      form.reset();
      onCreated(token);
    },
    onFields: (fields) => form.setErrors(errorsOfTags(fields)),
  });
  return (
    <form className={css.form} onSubmit={form.onSubmit((values) => creating.mutate(values))} noValidate>
      {creating.error ? <Alert colour="error">{errorText(creating.error)}</Alert> : null}
      <TextInput
        label={t('registrations.name')}
        description={t('registrations.nameHelp')}
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <RunnerTagsInput label={t('runners.tags')} description={t('runners.tagsHelp')} {...form.getInputProps('tags')} />
      <div className={css.pair}>
        <NumberInput
          label={t('registrations.uses')}
          min={1}
          max={MAX_REGISTRATIONS}
          allowDecimal={false}
          {...form.getInputProps('uses')}
        />
        <Select
          label={t('registrations.validity')}
          allowDeselect={false}
          data={VALIDITIES.map(([seconds, text]) => ({ value: String(seconds), label: t(text) }))}
          {...form.getInputProps('valid')}
        />
      </div>
      <Button type="submit" variant="primary" icon="plus" busy={creating.isPending}>
        {t('registrations.create')}
      </Button>
    </form>
  );
};
