import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { secondFactorQuery } from '../../api/queries.ts';
import { useSaving } from '../../api/use-saving.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useTranslatedErrors } from '../../ui/forms/use-translated-errors.ts';
import { showToast } from '../../ui/toast/toast-store.ts';
import { CurrentPassword } from './current-password.tsx';
import { RecoveryCodes, useShownCodes } from './recovery-codes.tsx';
import css from './second-factor.module.css';
import type { SecondFactorStep } from './second-factor-section.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';

interface Proof {
  current_password: string;
  code: string;
}

interface ProofDialogProps<A> {
  title: string;
  /** The consequences of the change. */
  help: string;
  action: string;
  send: (proof: Proof) => Promise<A>;
  onDone: (answer: A) => void;
  onClose: () => void;
}

/** The request, which requires the password and a code. */
const ProofDialog = <A,>({ title, help, action, send, onDone, onClose }: ProofDialogProps<A>) => {
  const { t } = useTranslation();
  const form = useForm<Proof>({
    initialValues: { current_password: '', code: '' },
    validate: {
      current_password: (value) => (value === '' ? t('signIn.passwordRequired') : null),
      code: (value) => (value.trim() === '' ? t('signIn.codeRequired') : null),
    },
  });
  useTranslatedErrors(form);
  const saving = useSaving<Proof, A>({
    send,
    stale: queryKey.secondFactor,
    onSaved: (_, answer) => onDone(answer),
    onFields: (fields) => form.setErrors(fields),
  });
  const isAtField = saving.error instanceof ApiError && Object.keys(saving.error.fields).length > 0;
  return (
    <FormDialog
      title={title}
      width={480}
      error={saving.error && !isAtField ? errorText(saving.error) : undefined}
      isDirty={form.isDirty()}
      isBusy={saving.isPending}
      save={action}
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      onClose={onClose}
    >
      <p className={css.before}>{help}</p>
      <CurrentPassword data-autofocus {...form.getInputProps('current_password')} />
      <TextInput
        label={t('secondFactor.anyCode')}
        autoComplete="one-time-code"
        spellCheck={false}
        {...form.getInputProps('code')}
      />
    </FormDialog>
  );
};

const TurnOn = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const done = () => {
    showToast('ok', t('secondFactor.turnedOn'));
    onClose();
  };
  const shown = useShownCodes(onClose);
  return (
    <Dialog opened onClose={shown.close} title={t('secondFactor.setupTitle')} width={480}>
      <SecondFactorSetup shown={shown} onDone={done} />
    </Dialog>
  );
};

const TurnOff = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const { data } = useQuery(secondFactorQuery());
  return (
    <ProofDialog
      title={t('secondFactor.offTitle')}
      help={t(data?.mode === 'required' ? 'secondFactor.offRequired' : 'secondFactor.offHelp')}
      action={t('secondFactor.turnOff')}
      send={(body) => call('turnOffSecondFactor', { body })}
      onDone={() => {
        showToast('ok', t('secondFactor.turnedOff'));
        onClose();
      }}
      onClose={onClose}
    />
  );
};

const NewCodes = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const shown = useShownCodes(onClose);
  if (shown.codes) {
    return (
      <Dialog opened onClose={shown.close} title={t('secondFactor.renew')} width={480}>
        <RecoveryCodes shown={shown} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <ProofDialog
      title={t('secondFactor.renew')}
      help={t('secondFactor.renewHelp')}
      action={t('secondFactor.make')}
      send={(body) => call('renewRecoveryCodes', { body })}
      onDone={({ recovery_codes }) => shown.show(recovery_codes)}
      onClose={onClose}
    />
  );
};

/** The dialog of one action. */
export const SecondFactorDialog = ({ step, onClose }: { step: SecondFactorStep; onClose: () => void }) => {
  if (step === 'turn-on') return <TurnOn onClose={onClose} />;
  return step === 'turn-off' ? <TurnOff onClose={onClose} /> : <NewCodes onClose={onClose} />;
};
