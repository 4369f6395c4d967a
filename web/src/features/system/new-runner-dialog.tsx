import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { useSaving } from '../../api/use-saving.ts';
import { Button } from '../../ui/basics/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { errorsOfTags, RunnerTagsInput } from '../../ui/forms/runner-tags-input.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import css from './system.module.css';

const COMMANDS = `SIGNALBOX_SERVER=${new URL('.', document.baseURI).href.replace(/\/$/, '')} \\
SIGNALBOX_RUNNER_TOKEN_FILE=/etc/signalbox/runner.token \\
SIGNALBOX_RUNNER_DATA=/var/lib/signalbox-runner \\
bin/signalbox.mjs runner`;

const TokenShown = ({ token, onClose }: { token: string; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('runners.tokenTitle')}
      footer={
        <>
          <span className={css.rest} />
          <Button variant="primary" onClick={onClose}>
            {t('action.close')}
          </Button>
        </>
      }
    >
      <p>{t('runners.tokenText')}</p>
      <code className={css.token}>{token}</code>
      <p className={css.remark}>{t('runners.startText')}</p>
      <pre className={css.commands}>{COMMANDS}</pre>
    </Dialog>
  );
};

/** Dialog that adds a runner. Its token is shown once. */
export const NewRunnerDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: { name: '', tags: [] as string[] },
    validate: { name: (name) => (name.trim() === '' ? t('form.nameRequired') : null) },
  });
  useTranslatedErrors(form);
  const adding = useSaving<{ name: string; tags: string[] }, { token: string }>({
    send: ({ name, tags }) => call('createRunner', { body: { name: name.trim(), tags } }),
    stale: queryKey.runners,
    onSaved: () => undefined,
    onFields: (fields) => form.setErrors(errorsOfTags(fields)),
  });
  if (adding.data) return <TokenShown token={adding.data.token} onClose={onClose} />;
  return (
    <FormDialog
      title={t('runners.add')}
      width={480}
      error={adding.error ? errorText(adding.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={adding.isPending}
      save={t('runners.save')}
      onSubmit={form.onSubmit((values) => adding.mutate(values))}
      onClose={onClose}
    >
      <p className={css.remark}>{t('runners.easier')}</p>
      <TextInput
        label={t('form.name')}
        description={t('runners.nameHelp')}
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <RunnerTagsInput label={t('runners.tags')} description={t('runners.tagsHelp')} {...form.getInputProps('tags')} />
    </FormDialog>
  );
};
