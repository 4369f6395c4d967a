import type { InventoryHosts } from '@signalbox/contract';

/** How a term of a host pattern combines with the terms before it. */
export type TermKind = 'or' | 'and' | 'not';

export interface Term {
  readonly kind: TermKind;
  /** The name of a host or a group, or a pattern such as `web-*`. */
  readonly text: string;
}

const KINDS: Readonly<Record<string, TermKind>> = { '&': 'and', '!': 'not' };
const SIGNS: Readonly<Record<TermKind, string>> = { or: '', and: '&', not: '!' };

/**
 * Separates terms as Ansible does: at commas, or else at colons outside of brackets. So names with colons, such as IPv6
 * addresses, need commas.
 */
const split = (pattern: string): string[] => {
  const separator = pattern.includes(',') ? ',' : ':';
  const parts: string[] = [''];
  let depth = 0;
  for (const character of pattern) {
    if (character === '[') depth += 1;
    if (character === ']') depth = Math.max(0, depth - 1);
    if (character === separator && (depth === 0 || separator === ',')) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
};

/** Reads one term. Its sign decides how it combines with the terms before it. */
export const readTerm = (part: string): Term => {
  const kind = KINDS[part[0] ?? ''] ?? 'or';
  return { kind, text: kind === 'or' ? part : part.slice(1).trim() };
};

export const readPattern = (pattern: string): Term[] => split(pattern).map(readTerm);

export const writePattern = (terms: readonly Term[]): string =>
  terms.map(({ kind, text }) => `${SIGNS[kind]}${text}`).join(terms.some(({ text }) => text.includes(':')) ? ',' : ':');

/** Characters that have a meaning in regular expressions, except those of wildcards. */
const SPECIAL = /[.+^${}()|\\]/g;

/** Expressions with more wildcards could take long for each host. */
const MAX_WILDCARDS = 4;

/** Translates wildcards of the shell: `*`, `?` and `[a-c]`. Undefined for brackets that are no class of characters. */
const wildcard = (text: string): RegExp | undefined => {
  if (text.split('*').length - 1 > MAX_WILDCARDS) return undefined;
  const source = text.replace(SPECIAL, '\\$&').replaceAll('*', '.*').replaceAll('?', '.').replaceAll(/\[!/g, '[^');
  try {
    return new RegExp(`^${source}$`, 'u');
  } catch {
    return undefined;
  }
};

/** A position or range after a name, such as `web[0]` or `web[1:3]`, as Ansible counts: the end is included. */
const SUBSCRIPT = /^(.*)\[(-?\d+)(?:([:-])(-?\d*))?\]$/;

const sliced = (hosts: readonly string[], from: string, separator: string | undefined, to = ''): readonly string[] => {
  const index = (value: string) => (Number(value) < 0 ? hosts.length + Number(value) : Number(value));
  if (separator === undefined) return hosts.slice(index(from), index(from) + 1);
  return hosts.slice(index(from), to === '' ? undefined : index(to) + 1);
};

const named = ({ hosts, groups }: InventoryHosts, text: string): readonly string[] | undefined => {
  if (text === 'all' || text === '*') return hosts;
  const group = groups.find(({ name }) => name === text);
  if (group) return group.hosts;
  if (!/[*?[]/.test(text)) return hosts.includes(text) ? [text] : [];
  const match = wildcard(text);
  if (!match) return undefined;
  const ofGroups = groups.filter(({ name }) => match.test(name)).flatMap((one) => one.hosts);
  return [...ofGroups, ...hosts.filter((host) => match.test(host))];
};

/** Text with which a pattern is no list, but a regular expression or a template of Ansible. */
const isWhole = (text: string): boolean => text.startsWith('~') || text.includes('{{');

/** The hosts of one term; undefined for a term that only Ansible understands, such as a regular expression. */
export const hostsOfTerm = (inventory: InventoryHosts, text: string): readonly string[] | undefined => {
  if (isWhole(text)) return undefined;
  const subscript = SUBSCRIPT.exec(text);
  const base = subscript?.[1] ? named(inventory, subscript[1]) : undefined;
  if (subscript && base && base.length > 0) return sliced(base, subscript[2] ?? '', subscript[3], subscript[4]);
  return named(inventory, text);
};

/**
 * The terms of a text that a user typed or pasted: a list that is separated by commas, spaces, semicolons or line breaks, whose
 * entries may be patterns such as `web:!web1`. A sign that was typed before a pasted list is that of all its names.
 */
export const typedTerms = ({ hosts }: InventoryHosts, text: string): Term[] => {
  const trimmed = text.trim();
  if (isWhole(trimmed)) return [readTerm(trimmed)];
  const entries = trimmed.split(/[\s,;]+/).filter((entry) => entry !== '');
  const [sign = ''] = entries;
  const ofAll = entries.length > 1 ? KINDS[sign] : undefined;
  if (ofAll) return entries.slice(1).map((name) => ({ kind: ofAll, text: name }));
  const known = new Set(hosts);
  // A name with colons, such as an IPv6 address, is one term.
  return entries.flatMap((entry) => (known.has(readTerm(entry).text) ? [readTerm(entry)] : readPattern(entry)));
};

/** The names and patterns of a pattern for which the inventory has nothing. */
export const unknownTerms = (inventory: InventoryHosts, terms: readonly Term[]): string[] => {
  const groups = new Set(inventory.groups.map(({ name }) => name));
  return [...new Set(terms.map(({ text }) => text))].filter(
    (text) => !groups.has(text) && hostsOfTerm(inventory, text)?.length === 0 && text !== 'all' && text !== '*',
  );
};

/**
 * The hosts that a pattern selects, in the order of the inventory; undefined if only Ansible understands the pattern. As in
 * Ansible, exclusions count last, whatever their position.
 */
export const matchHosts = (inventory: InventoryHosts, pattern: string): readonly string[] | undefined => {
  const terms = readPattern(pattern);
  if (terms.length === 0) return inventory.hosts;
  const found = terms.map(({ kind, text }) => ({ kind, hosts: hostsOfTerm(inventory, text) }));
  if (found.some(({ hosts }) => hosts === undefined)) return undefined;
  const setsOf = (wanted: TermKind) => found.filter(({ kind }) => kind === wanted).map(({ hosts }) => new Set(hosts));
  const [or, and, not] = [setsOf('or'), setsOf('and'), setsOf('not')];
  return inventory.hosts.filter(
    (host) =>
      (or.length === 0 || or.some((set) => set.has(host))) &&
      and.every((set) => set.has(host)) &&
      !not.some((set) => set.has(host)),
  );
};
