import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import css from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'style'>;

export interface ButtonProps extends Native {
  /** `primary` is filled, at most one per view; `quiet` has no border. */
  variant?: 'outline' | 'primary' | 'quiet' | 'stop' | 'run' | undefined;
  small?: boolean | undefined;
  wide?: boolean | undefined;
  icon?: IconName | undefined;
  /** Shows that a request is in progress and disables the button. */
  busy?: boolean | undefined;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement> | undefined;
}

export const buttonClass = (variant: ButtonProps['variant'] = 'outline', small = false, wide = false): string =>
  [css.button, variant === 'outline' ? '' : css[variant], small ? css.small : '', wide ? css.wide : ''].join(' ');

export const Button = ({
  variant,
  small,
  wide,
  icon,
  busy = false,
  children,
  disabled,
  type,
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    type={type ?? 'button'}
    disabled={disabled || busy}
    aria-busy={busy || undefined}
    className={buttonClass(variant, small, wide)}
  >
    {icon ? <Icon name={icon} /> : null}
    {children}
  </button>
);

export interface IconButtonProps extends Native {
  icon: IconName;
  /** What the button does, as tooltip and accessible name. */
  label: string;
  /** The keys that are pressed together to do the same, as on the keyboard, separated by spaces: `Shift F3`. */
  keys?: string | undefined;
  small?: boolean | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** The names of keys in `aria-keyshortcuts` where they differ from those on keyboards. */
const ariaKeys = (keys: string): string =>
  keys.replace('Ctrl', 'Control').replace('Esc', 'Escape').replaceAll(' ', '+');

export const iconButtonClass = (small = false): string => `${css.icon} ${small ? css.iconSmall : ''}`;

export const IconButton = ({ icon, label, keys, small, type, ...rest }: IconButtonProps) => (
  <button
    {...rest}
    type={type ?? 'button'}
    aria-label={label}
    aria-keyshortcuts={keys === undefined ? undefined : ariaKeys(keys)}
    data-tooltip={label}
    data-tooltip-keys={keys}
    // Disabled buttons send no events of the pointer.
    title={rest.disabled ? label : undefined}
    className={iconButtonClass(small)}
  >
    <Icon name={icon} />
  </button>
);
