// biome-ignore lint/style/noRestrictedImports: all other files import the component of this file
import { PasswordInput as MantinePasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Mantine's password input, with a translated name for the button that shows the password. */
export const PasswordInput = (props: PasswordInputProps) => {
  const { t } = useTranslation();
  return <MantinePasswordInput visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }} {...props} />;
};
