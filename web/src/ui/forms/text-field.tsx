import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';
import { Icon } from '../basics/icon.tsx';
import field from './field.module.css';
import css from './text-field.module.css';

type Native = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'style' | 'id'>;

export interface TextFieldProps extends Native {
  label: string;
  /** What is wrong with the value, in words. */
  error?: string | null;
  /** Drawn at the right end, inside the field's border. */
  end?: ReactNode;
}

/** A line of text with its label, of the browser's own parts: for the page that must not wait for a library. */
export const TextField = ({ label, error, end, ...input }: TextFieldProps) => {
  const id = useId();
  const wrong = error ? `${id}-error` : undefined;
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
          data-error={wrong ? true : undefined}
          data-end={end ? true : undefined}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong}
        />
        {end}
      </div>
      {error ? (
        <p className={field.error} id={wrong}>
          {error}
        </p>
      ) : null}
    </div>
  );
};

export interface PasswordFieldProps extends Omit<TextFieldProps, 'end' | 'type'> {
  /** Names the button that makes the password readable. */
  show: string;
}

export const PasswordField = ({ show, ...props }: PasswordFieldProps) => {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      end={
        <button
          type="button"
          className={css.eye}
          aria-label={show}
          aria-pressed={isShown}
          title={show}
          // The field keeps the focus, and with it the place in the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? 'eyeOff' : 'eye'} />
        </button>
      }
    />
  );
};
