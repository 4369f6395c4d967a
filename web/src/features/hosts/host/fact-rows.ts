import { FACT_KINDS } from 'virtual:routes';
import type { FactKind, FactName, HostFactValues } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { decimalText, storageText } from '../../../lang/locale.ts';
import { FACT_LABELS } from '../fact-label.ts';

export interface FactRow {
  readonly label: string;
  readonly before: string;
  readonly now: string;
  readonly differs: boolean;
}

const MEGABYTE = 1024 * 1024;

/** A fact as text. A dash for one that does not exist. */
const factText = (value: string | number | undefined, kind: FactKind | 'bytes'): string => {
  if (value === undefined) return '–';
  if (typeof value === 'string') return value;
  if (kind === 'number') return decimalText(value);
  return storageText(kind === 'megabytes' ? value * MEGABYTE : value);
};

const names = (...found: (Readonly<Record<string, unknown>> | undefined)[]): string[] =>
  [...new Set(found.flatMap((one) => Object.keys(one ?? {})))].sort();

/** The facts now and before, in the order of the contract; mounts and interfaces follow by name. */
export const factRows = (t: TFunction, now: HostFactValues, before: HostFactValues | undefined): FactRow[] => {
  const row = (
    label: string,
    read: (facts: HostFactValues) => string | number | undefined,
    kind: FactKind | 'bytes',
  ): FactRow[] => {
    const [current, earlier] = [read(now), before && read(before)];
    if (current === undefined && earlier === undefined) return [];
    const differs = before !== undefined && earlier !== current;
    return [{ label, before: factText(earlier, kind), now: factText(current, kind), differs }];
  };
  return [
    ...(Object.keys(FACT_LABELS) as FactName[]).flatMap((name) =>
      row(t(FACT_LABELS[name]), (facts) => facts[name], FACT_KINDS[name]),
    ),
    ...names(now.mounts, before?.mounts).flatMap((name) => [
      ...row(t('fact.mountSize', { name }), ({ mounts }) => mounts?.[name]?.size, 'bytes'),
      ...row(t('fact.mountFree', { name }), ({ mounts }) => mounts?.[name]?.free, 'bytes'),
    ]),
    ...names(now.interfaces, before?.interfaces).flatMap((name) =>
      row(t('fact.interface', { name }), ({ interfaces }) => interfaces?.[name], 'text'),
    ),
  ];
};
