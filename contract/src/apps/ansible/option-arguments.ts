import type { ArgumentOption } from '../app.ts';

const LONG: Readonly<Record<string, ArgumentOption>> = {
  '--limit': 'limit',
  '--tags': 'tags',
  '--skip-tags': 'skip_tags',
  '--forks': 'forks',
  '--check': 'dry_run',
  '--diff': 'diff',
  '--verbose': 'verbosity',
  '--inventory': 'inventory_id',
  '--inventory-file': 'inventory_id',
  '--vault-id': 'vaults',
  '--vault-password-file': 'vaults',
  '--vault-pass-file': 'vaults',
  '--extra-vars': 'variables',
};

const SHORT: Readonly<Record<string, ArgumentOption>> = {
  l: 'limit',
  t: 'tags',
  f: 'forks',
  C: 'dry_run',
  D: 'diff',
  v: 'verbosity',
  i: 'inventory_id',
  e: 'variables',
};

/** Short options whose value may follow directly, as in `-lweb`. */
const WITH_VALUE = /^[cefilMtTu]$/;

/** Ansible also accepts the beginning of a long option, such as `--lim`. */
const longOption = (argument: string): ArgumentOption[] => {
  const [name = ''] = argument.split('=', 1);
  return Object.entries(LONG).flatMap(([long, option]) => (long.startsWith(name) ? [option] : []));
};

/** The options in a group of short ones, such as `-CD` or `-vvv`. */
const shortOptions = (argument: string): ArgumentOption[] => {
  const found: ArgumentOption[] = [];
  for (const letter of argument.slice(1)) {
    const option = SHORT[letter];
    if (option !== undefined) found.push(option);
    if (WITH_VALUE.test(letter)) break;
  }
  return found;
};

/**
 * The options of a run that arguments of ansible-playbook set. The value of another option counts too if it has the form of
 * such an argument.
 */
export const optionsSetBy = (args: readonly string[]): ReadonlySet<ArgumentOption> =>
  new Set(
    args.flatMap((argument) => {
      if (argument.startsWith('--')) return argument.length > 2 ? longOption(argument) : [];
      return argument.startsWith('-') ? shortOptions(argument) : [];
    }),
  );
