import { useId } from 'react';
import css from './choice.module.css';

export interface ChoiceProps<V extends string> {
  label: string;
  options: readonly { readonly value: V; readonly label: string }[];
  value: V;
  onChange: (value: V) => void;
}

/** A few options in a row, of which one is selected. Arrow keys work as in any group of radio buttons. */
export const Choice = <V extends string>({ label, options, value, onChange }: ChoiceProps<V>) => {
  const name = useId();
  return (
    <fieldset className={css.choice}>
      <legend className={css.label}>{label}</legend>
      <div className={css.options}>
        {options.map((option) => (
          <label key={option.value} className={css.option}>
            <input
              type="radio"
              className="sr"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
