/** Lines and names are cut here, in characters. */
const MAX_LINE = 500;
const MAX_NAME = 100;
/** Maximum number of named plays of one playbook in an answer. */
const MAX_PLAYS = 10;

const linesOf = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.slice(0, MAX_LINE).trimEnd());

const isContent = (line: string): boolean => !/^\s*(#|$)/.test(line) && !/^(---|%)/.test(line);

/** A value as text, without quotes, comment and control characters; empty if it has several lines, an anchor or a tag. */
const scalar = (value: string): string => {
  if (/^[>|&*!]/.test(value)) return '';
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1]?.replace(/\\(["\\])/g, '$1');
  const single = /^'((?:[^']|'')*)'/.exec(value)?.[1]?.replaceAll("''", "'");
  return (double ?? single ?? value.replace(/\s#.*$/, ''))
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, MAX_NAME)
    .replace(/\p{Cs}$/u, '');
};

const PLAY_KEYS: ReadonlySet<string> = new Set(['hosts', 'import_playbook', 'ansible.builtin.import_playbook']);

/**
 * The names of the plays of a playbook, read line by line: a YAML parser would resolve the aliases of a hostile file.
 * An item begins with the dash in the column of the first one. Its keys are in the column of its first key:
 *
 *     - name: Web            the dash in column 0, the keys in column 2
 *       hosts: web
 *       tasks:
 *         - name: Not a key  another column, so not read
 *
 * @returns undefined if the text is no playbook, which is a list with an item that has hosts or imports a playbook
 */
export const playNames = (text: string): string[] | undefined => {
  const lines = linesOf(text).filter(isContent);
  const indent = /^( *)-(?: |$)/.exec(lines[0] ?? '')?.[1];
  if (indent === undefined) return undefined;
  const names: string[] = [];
  let isPlaybook = false;
  /** The column of the keys of an item; undefined before its first key. */
  let column: number | undefined;
  for (const line of lines) {
    const dash = line.startsWith(`${indent}-`) ? (/^ *-(?: +|$)/.exec(line)?.[0] ?? '') : '';
    if (dash !== '') column = dash.length < line.length ? dash.length : undefined;
    const start = dash === '' ? line.length - line.trimStart().length : dash.length;
    if (column === undefined && start > indent.length && dash === '') column = start;
    if (start !== column) continue;
    const [, , key, value = ''] = /^(["']?)([A-Za-z_.]+)\1 *:(?: +(.*))?$/.exec(line.slice(start)) ?? [];
    if (key !== undefined && PLAY_KEYS.has(key)) isPlaybook = true;
    if (key === 'name' && names.length < MAX_PLAYS && scalar(value) !== '') names.push(scalar(value));
  }
  return isPlaybook ? names : undefined;
};

/** Whether a text has the form of an inventory: YAML groups with hosts, or an INI file. Scripts, plugins and encrypted files do not have it. */
export const isInventory = (text: string, isYaml: boolean): boolean => {
  const lines = linesOf(text);
  if (lines[0]?.startsWith('#!')) return false;
  const content = lines.filter((line) => isContent(line) && !line.trimStart().startsWith(';'));
  const [first = ''] = content;
  if (isYaml) return /^[\w.-]+:/.test(first) && content.some((line) => /^\s+(hosts|children):/.test(line));
  return /^\[[\w.:-]+\]$/.test(first) || /^[\w.:[\]-]+(\s+\w+=.*)?$/.test(first);
};
