import { OptionsField, type OptionsProps } from './options-field.tsx';

export interface ChoiceProps<V extends string> extends OptionsProps<V> {
  value: V;
  onChange: (value: V) => void;
}

/** A few options in a row, of which one is selected. Arrow keys work as in any group of radio buttons. */
export const Choice = <V extends string>({ value, onChange, ...options }: ChoiceProps<V>) => (
  <OptionsField {...options} kind="row" isChosen={(option) => option === value} onChoose={onChange} />
);
