import { OptionsField, type OptionsProps } from './options-field.tsx';

export interface ChipChoicesProps extends OptionsProps<string> {
  value: readonly string[];
  /** Called with the chosen options, in the order of the options. */
  onChange: (value: string[]) => void;
}

/** Options of which any number can be chosen. Each is a checkbox. */
export const ChipChoices = ({ value, onChange, ...props }: ChipChoicesProps) => {
  const choose = (changed: string, isChosen: boolean) =>
    onChange(
      props.options
        .map((option) => option.value)
        .filter((option) => (option === changed ? isChosen : value.includes(option))),
    );
  return <OptionsField {...props} kind="chips" isChosen={(option) => value.includes(option)} onChoose={choose} />;
};
