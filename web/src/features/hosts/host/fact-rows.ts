import type { HostFactValues } from '@signalbox/contract';
import { decimalText, storageText } from '../../../lang/locale.ts';

type Value = HostFactValues[string] | undefined;

export interface FactRow {
  readonly name: string;
  readonly before: string;
  readonly now: string;
  readonly differs: boolean;
}

/** A fact as text: sizes of mounts are bytes. A dash for one that does not exist. */
const factText = (name: string, value: Value): string => {
  if (value === undefined) return '–';
  if (typeof value !== 'number') return value;
  return name.startsWith('mount ') ? storageText(value) : decimalText(value);
};

/** The facts now and before, by name. */
export const factRows = (now: HostFactValues, before: HostFactValues | undefined): FactRow[] => {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before ?? {})])].sort();
  return names.map((name) => ({
    name,
    before: factText(name, before?.[name]),
    now: factText(name, now[name]),
    differs: before !== undefined && before[name] !== now[name],
  }));
};
