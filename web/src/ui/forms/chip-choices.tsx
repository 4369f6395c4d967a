import { type ReactNode, useId } from 'react';
import { Icon } from '../basics/icon.tsx';
import css from './chip-choices.module.css';
import field from './field.module.css';

export interface ChipChoicesProps {
  label: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
  /** Name of the field in its form, which focuses the first option after an error. */
  path?: string;
  options: readonly { readonly value: string; readonly label: string }[];
  value: readonly string[];
  onChange: (value: string[]) => void;
}

/** Options of which any number can be chosen. Each is a checkbox. */
export const ChipChoices = ({ label, description, error, path, options, value, onChange }: ChipChoicesProps) => {
  const id = useId();
  const toggle = (option: string, isChosen: boolean) =>
    onChange(options.map((one) => one.value).filter((one) => (one === option ? isChosen : value.includes(one))));
  return (
    <fieldset className={css.choices} aria-describedby={`${id}-help`}>
      <legend className={field.label}>{label}</legend>
      <div className={css.options}>
        {options.map((option, index) => (
          <label key={option.value} className={css.option}>
            <input
              type="checkbox"
              className="sr"
              data-path={index === 0 ? path : undefined}
              checked={value.includes(option.value)}
              onChange={(event) => toggle(option.value, event.currentTarget.checked)}
            />
            {value.includes(option.value) ? <Icon name="check" /> : null}
            {option.label}
          </label>
        ))}
      </div>
      <div id={`${id}-help`}>
        {description ? <p className={field.help}>{description}</p> : null}
        {error ? <p className={field.error}>{error}</p> : null}
      </div>
    </fieldset>
  );
};
