import type { TFunction } from 'i18next';
import { numberText } from '../../../lang/locale.ts';
import type { ShapeName } from '../hosts/result-cell.tsx';
import type { Group } from './matrix-groups.ts';

/** Catalogue keys of what a cell shows. */
const LETTER_KEYS: Readonly<Record<string, string>> = {
  o: 'host.ok',
  c: 'host.changed',
  f: 'host.failed',
  i: 'host.ignored',
  s: 'host.skipped',
  u: 'host.unreachable',
  r: 'host.rescued',
  a: 'matrix.running',
  '.': 'host.none',
  ' ': 'matrix.elsewhere',
};

/** The text for the result of a cell. */
export const letterText = (t: TFunction, letter: string): string => t(LETTER_KEYS[letter] ?? 'host.none');

/** One host of a group, and the number of the others. */
export const groupName = (t: TFunction, { hosts }: Group): string => {
  const host = hosts[0]?.host ?? '';
  const count = hosts.length - 1;
  return count === 0 ? host : t('matrix.alike', { host, count, number: numberText(count) });
};

const SHAPES: Readonly<Record<string, ShapeName>> = {
  o: 'ok',
  c: 'changed',
  f: 'failed',
  i: 'ignored',
  s: 'skipped',
  u: 'unreachable',
  r: 'rescued',
  a: 'running',
};

/** The icon of a letter. */
export const shapeOf = (letter: string): ShapeName => SHAPES[letter] ?? 'none';
