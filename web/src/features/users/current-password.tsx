import type { PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PasswordInput } from '../../ui/forms/password-input.tsx';

/** Input for the user's own password, which changes of an account require. */
export const CurrentPassword = (props: Omit<PasswordInputProps, 'label' | 'autoComplete'>) => {
  const { t } = useTranslation();
  return <PasswordInput label={t('users.currentPassword')} autoComplete="current-password" {...props} />;
};
