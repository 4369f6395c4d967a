// biome-ignore lint/style/noRestrictedImports: this is the one place that names the button of the input
import { PasswordInput as MantinePasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Mantine's password input. Its button to show the password is named in the user's language. */
export const PasswordInput = (props: PasswordInputProps) => {
  const { t } = useTranslation();
  return <MantinePasswordInput visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }} {...props} />;
};
