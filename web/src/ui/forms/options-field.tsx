import { type ReactNode, useId } from 'react';
import { Icon } from '../basics/icon.tsx';
import field from './field.module.css';
import { FieldError } from './field-error.tsx';
import css from './options-field.module.css';

export interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
}

/** What every field with visible options has. */
export interface OptionsProps<V extends string> {
  label: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
  /** Name of the field in its form, which focuses the first option after an error. */
  path?: string;
  options: readonly Option<V>[];
}

interface OptionsFieldProps<V extends string> extends OptionsProps<V> {
  /** One option of a row, or any number of chips. */
  kind: 'row' | 'chips';
  isChosen: (value: V) => boolean;
  onChoose: (value: V, isChosen: boolean) => void;
}

/** A field whose options are all visible. They are radio buttons or checkboxes. */
export const OptionsField = <V extends string>(props: OptionsFieldProps<V>) => {
  const { kind, label, description, error, path, options, isChosen, onChoose } = props;
  const name = useId();
  const hasHelp = Boolean(description || error);
  return (
    <fieldset
      className={css.options}
      data-invalid={error ? true : undefined}
      aria-describedby={hasHelp ? `${name}-help` : undefined}
    >
      <legend className={field.label}>{label}</legend>
      <div className={css[kind]}>
        {options.map((option, index) => (
          <label key={option.value} className={css.option}>
            <input
              type={kind === 'row' ? 'radio' : 'checkbox'}
              className="sr"
              name={name}
              value={option.value}
              data-path={index === 0 ? path : undefined}
              checked={isChosen(option.value)}
              onChange={(event) => onChoose(option.value, event.currentTarget.checked)}
            />
            {kind === 'chips' && isChosen(option.value) ? <Icon name="check" /> : null}
            {option.label}
          </label>
        ))}
      </div>
      {hasHelp ? (
        <div id={`${name}-help`}>
          {description ? <p className={field.help}>{description}</p> : null}
          {error ? <FieldError>{error}</FieldError> : null}
        </div>
      ) : null}
    </fieldset>
  );
};
