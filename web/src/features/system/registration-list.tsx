import type { RunnerRegistration } from '@signalbox/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { queryKey } from '../../api/keys.ts';
import { IconButton } from '../../ui/basics/button.tsx';
import { exactTime } from '../../ui/time/time.ts';
import { showToast } from '../../ui/toast/toast-store.ts';
import css from './registrations.module.css';

const RegistrationRow = ({ registration }: { registration: RunnerRegistration }) => {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, name, tags, uses, uses_left: left, expires, expired, created_by, creator_is_admin } = registration;
  const revoke = useMutation({
    mutationFn: () => call('revokeRunnerRegistration', { params: { registration_id: id } }),
    onSuccess: async () => {
      showToast('ok', t('registrations.revoked', { name }));
      await client.invalidateQueries({ queryKey: queryKey.runnerRegistrations });
    },
    onError: (error) => showToast('error', errorText(error)),
  });
  const details = [
    t('registrations.left', { left, uses }),
    expired ? t('registrations.expired') : t('registrations.expires', { when: exactTime(expires) }),
    ...(tags.length === 0 ? [] : [tags.join(', ')]),
    ...(created_by === '' ? [] : [t('registrations.by', { user: created_by })]),
    ...(creator_is_admin ? [] : [t('registrations.creatorNotAdmin')]),
  ];
  return (
    <li className={css.registration}>
      <span className={css.name}>
        <span className={expired || left === 0 || !creator_is_admin ? css.ended : undefined}>{name}</span>
        <span className={css.details}>{details.join(' · ')}</span>
      </span>
      <IconButton
        icon="trash"
        label={t('registrations.revoke', { name })}
        disabled={revoke.isPending}
        onClick={() => revoke.mutate()}
      />
    </li>
  );
};

/** Registration tokens: how many runners can still register with each, until when, and who created it. */
export const RegistrationList = ({ registrations }: { registrations: readonly RunnerRegistration[] }) => {
  const { t } = useTranslation();
  if (registrations.length === 0) return null;
  return (
    <ul className={css.list} aria-label={t('registrations.title')}>
      {registrations.map((registration) => (
        <RegistrationRow key={registration.id} registration={registration} />
      ))}
    </ul>
  );
};
