import type { TFunction } from 'i18next';
import type { IconName } from '../ui/basics/icon.tsx';

/** The key that is pressed before the key of a screen. */
export const SCREEN_KEY = 'g';

/** The screens of a project that a pair of keys opens. */
export const PROJECT_SCREENS = [
  { key: 'h', path: 'history', icon: 'dashboard', labelKey: 'shell.dashboard' },
  { key: 't', path: 'templates', icon: 'templates', labelKey: 'shell.templates' },
  { key: 'f', path: 'failures', icon: 'alert', labelKey: 'failures.title' },
  { key: 's', path: 'schedules', icon: 'calendar', labelKey: 'schedules.title' },
  { key: 'w', path: 'webhooks', icon: 'webhook', labelKey: 'webhooks.title' },
  { key: 'i', path: 'inventory', icon: 'inventory', labelKey: 'inventory.title' },
  { key: 'e', path: 'environment', icon: 'environment', labelKey: 'environment.title' },
  { key: 'k', path: 'keys', icon: 'key', labelKey: 'keys.title' },
  { key: 'r', path: 'repositories', icon: 'repository', labelKey: 'repositories.title' },
  { key: 'm', path: 'team', icon: 'team', labelKey: 'team.title' },
] as const satisfies readonly { key: string; path: string; icon: IconName; labelKey: string }[];

/** The attributes of a link to a screen for its tooltip, which shows the keys. */
export const screenTooltip = (t: TFunction, path: (typeof PROJECT_SCREENS)[number]['path']) => {
  const screen = PROJECT_SCREENS.find((one) => one.path === path);
  return (
    screen && {
      'data-tooltip': t(screen.labelKey),
      'data-tooltip-keys': `${SCREEN_KEY} ${screen.key}`,
      // Below is the next link.
      'data-tooltip-side': 'right',
    }
  );
};
