import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { detailOf } from '../../errors/own-detail.ts';
import { PreparationError } from '../../errors/preparation-error.ts';
import { readPlainText } from '../../files/plain-text-file.ts';
import { insideCheckout } from '../../git/inside-checkout.ts';
import { type ArgumentSettings, argumentsBy } from './ssh-arguments.ts';

/** The settings of an ansible.cfg that the runner extends instead of replacing. */
export interface AnsibleConfig {
  callbackPlugins: string | undefined;
  callbacksEnabled: string | undefined;
  rolesPath: string | undefined;
  collectionsPath: string | undefined;
  sshArguments: ArgumentSettings;
}

/** The name and the value of a line, without a trailing comment. */
const pairOf = (row: string): [name: string, value: string] | undefined => {
  const at = row.search(/[=:]/);
  if (at < 1 || /^\s/.test(row)) return undefined;
  const value = row.slice(at + 1).trim();
  const comment = value.search(/\s;/);
  return [row.slice(0, at).trimEnd().toLowerCase(), comment === -1 ? value : value.slice(0, comment)];
};

/** Reads an INI file as Ansible does: sections, `name = value` or `name: value`, indented continuation lines. */
export const parseIni = (text: string): Map<string, string> => {
  const values = new Map<string, string>();
  let section = '';
  let last: string | undefined;
  for (const row of text.split(/\r?\n/)) {
    if (/^\s*([#;]|$)/.test(row)) continue;
    const header = /^\[([^\]]+)\]/.exec(row);
    const pair = pairOf(row);
    if (header) {
      section = header[1] ?? '';
      last = undefined;
    } else if (/^\s/.test(row) && last !== undefined) {
      values.set(last, `${values.get(last)}\n${row.trim()}`);
    } else if (pair) {
      last = `${section}.${pair[0]}`;
      values.set(last, pair[1]);
    }
  }
  return values;
};

/** Makes paths absolute: in a file they are relative to its folder, in the environment to the working folder. */
const fromFolder = (folder: string, paths: string | undefined) =>
  paths
    ?.split(':')
    .filter((path) => path !== '')
    .map((path) => (isAbsolute(path) || /^[~${]/.test(path) ? path : join(folder, path)))
    .map((path) => path.replaceAll('{{CWD}}', folder))
    .join(':');

const EMPTY: AnsibleConfig = {
  callbackPlugins: undefined,
  callbacksEnabled: undefined,
  rolesPath: undefined,
  collectionsPath: undefined,
  sshArguments: {},
};

const readText = (path: string, shown = path): string | undefined => {
  try {
    return readPlainText(path);
  } catch (error) {
    const own = detailOf(error);
    throw new PreparationError('preparation', `The configuration ${shown} cannot be read: ${own.detail}.`, {
      code: 'config.unreadable',
      params: { path: shown, ...own },
    });
  }
};

/** The ansible.cfg of the checkout, if it has one. A link out of the checkout is refused, because the runner may read more files than the run user. */
export const readOwnConfig = (checkout: string): string | undefined => {
  const name = 'ansible.cfg';
  if (!existsSync(join(checkout, name))) return undefined;
  return readText(insideCheckout(checkout, name, 'The configuration'), name);
};

/**
 * Reads the configuration that ansible-playbook will use: the first existing file in the checkout, for the user, or for the machine.
 * @throws PreparationError if the file is not regular or too large, or if a link leads out of the checkout
 */
export const readAnsibleConfig = (checkout: string, home: string): AnsibleConfig => {
  const candidates: [folder: string, read: () => string | undefined][] = [
    [checkout, () => readOwnConfig(checkout)],
    [home, () => readText(join(home, '.ansible.cfg'))],
    ['/etc/ansible', () => readText('/etc/ansible/ansible.cfg')],
  ];
  for (const [folder, read] of candidates) {
    const text = read();
    if (text === undefined) continue;
    const values = parseIni(text);
    const paths = (name: string) => fromFolder(folder, values.get(`defaults.${name}`));
    return {
      callbackPlugins: paths('callback_plugins'),
      callbacksEnabled: values.get('defaults.callbacks_enabled') ?? values.get('defaults.callback_whitelist'),
      rolesPath: paths('roles_path'),
      collectionsPath: paths('collections_path') ?? paths('collections_paths'),
      sshArguments: argumentsBy((name) => values.get(`ssh_connection.${name}`)),
    };
  }
  return EMPTY;
};
