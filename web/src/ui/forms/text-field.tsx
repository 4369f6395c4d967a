import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';
import { Icon } from '../basics/icon.tsx';
import field from './field.module.css';
import css from './text-field.module.css';

type Native = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'style' | 'id'>;

export interface TextFieldProps extends Native {
  label: string;
  /** The error message. */
  error?: string | null;
  /** Content at the right end of the input, inside its border. */
  end?: ReactNode;
}

/** Text input with a label, for the sign-in page: made of native elements, because that page does not load Mantine. */
export const TextField = ({ label, error, end, ...input }: TextFieldProps) => {
  const id = useId();
  const errorId = error ? `${id}-error` : undefined;
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>
        {label}
      </label>
      <div className={css.control}>
        <input
          {...input}
          id={id}
          className={`${field.input} ${css.input}`}
          data-error={errorId ? true : undefined}
          data-end={end ? true : undefined}
          aria-invalid={errorId ? true : undefined}
          aria-describedby={errorId}
        />
        {end}
      </div>
      {error ? (
        <p className={field.error} id={errorId}>
          {error}
        </p>
      ) : null}
    </div>
  );
};

export interface PasswordFieldProps extends Omit<TextFieldProps, 'end' | 'type'> {
  /** Accessible name of the button that shows the password. */
  toggleLabel: string;
}

export const PasswordField = ({ toggleLabel, ...props }: PasswordFieldProps) => {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      end={
        <button
          type="button"
          className={css.eye}
          aria-label={toggleLabel}
          aria-pressed={isShown}
          title={toggleLabel}
          // The field keeps the focus and the cursor position.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'eyeOff' : 'eye'} />
        </button>
      }
    />
  );
};
