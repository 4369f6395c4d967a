import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Asks users for the password that they sign in with, before a change of their account. */
export const CurrentPassword = (props: Omit<PasswordInputProps, 'label' | 'autoComplete'>) => {
  const { t } = useTranslation();
  return <PasswordInput label={t('users.currentPassword')} autoComplete="current-password" {...props} />;
};
