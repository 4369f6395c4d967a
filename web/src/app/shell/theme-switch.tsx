import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/basics/button.tsx';

/** The dark mode switch. The choice is stored from the first click on. */
export const ThemeSwitch = () => {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const dark = useComputedColorScheme('light') === 'dark';
  return (
    <IconButton
      icon={dark ? 'sun' : 'moon'}
      label={t('shell.dark')}
      role="switch"
      aria-checked={dark}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    />
  );
};
