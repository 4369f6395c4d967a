import { type ReactNode, useId } from 'react';
import css from './choice.module.css';
import field from './field.module.css';

export interface ChoiceProps<V extends string> {
  label: string;
  options: readonly { readonly value: V; readonly label: string }[];
  value: V;
  onChange: (value: V) => void;
  description?: ReactNode;
  error?: ReactNode;
  /** Name of the field in its form, which focuses the first option after an error. */
  path?: string;
}

/** A few options in a row, of which one is selected. Arrow keys work as in any group of radio buttons. */
export const Choice = <V extends string>({
  label,
  options,
  value,
  onChange,
  description,
  error,
  path,
}: ChoiceProps<V>) => {
  const name = useId();
  return (
    <fieldset className={css.choice} aria-describedby={description || error ? `${name}-help` : undefined}>
      <legend className={css.label}>{label}</legend>
      <div className={css.options}>
        {options.map((option, index) => (
          <label key={option.value} className={css.option}>
            <input
              type="radio"
              className="sr"
              data-path={index === 0 ? path : undefined}
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      {description || error ? (
        <div id={`${name}-help`}>
          {description ? <p className={field.help}>{description}</p> : null}
          {error ? <p className={field.error}>{error}</p> : null}
        </div>
      ) : null}
    </fieldset>
  );
};
