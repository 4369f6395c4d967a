import { HostLimit } from '../../host-limit.ts';

type Value = 'none' | 'text' | 'number' | 'hosts';

/**
 * Options of ansible-playbook that users may give who can't edit templates: options that choose among the steps of the
 * playbook, and how much it prints. Options that load variables, files, connections, keys or other users are missing, because
 * those run code on the runner. Only complete names count, although Ansible itself accepts `--ta` for `--tags`.
 */
const ALLOWED: Readonly<Record<string, Value>> = {
  '-t': 'text',
  '--tags': 'text',
  '--skip-tags': 'text',
  '--start-at-task': 'text',
  '-f': 'number',
  '--forks': 'number',
  '-T': 'number',
  '--timeout': 'number',
  '-l': 'hosts',
  '--limit': 'hosts',
  '-C': 'none',
  '--check': 'none',
  '-D': 'none',
  '--diff': 'none',
  '--verbose': 'none',
  '--force-handlers': 'none',
  '--flush-cache': 'none',
  '--syntax-check': 'none',
  '--list-hosts': 'none',
  '--list-tags': 'none',
  '--list-tasks': 'none',
};

const FITS: Readonly<Record<Exclude<Value, 'none'>, (value: string) => boolean>> = {
  // A value that begins like an option could be read as one.
  text: (value) => value !== '' && !value.startsWith('-'),
  number: (value) => /^\d{1,4}$/.test(value),
  hosts: (value) => value !== '' && HostLimit.safeParse(value).success,
};

/** @returns the first argument that only users who can edit templates may give; undefined if there is none */
export const argumentForEditors = (args: readonly string[]): string | undefined => {
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    if (/^-v{1,6}$/.test(argument)) continue;
    const split = argument.startsWith('--') ? argument.indexOf('=') : -1;
    const name = split < 0 ? argument : argument.slice(0, split);
    const kind = Object.hasOwn(ALLOWED, name) ? ALLOWED[name] : undefined;
    if (kind === undefined || (kind === 'none' && split >= 0)) return argument;
    if (kind === 'none') continue;
    const value = split < 0 ? args[++index] : argument.slice(split + 1);
    if (value === undefined || !FITS[kind](value)) return argument;
  }
  return undefined;
};
