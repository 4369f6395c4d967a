import { MASK } from '../../output/masker.ts';

/** The parts of the command line. Paths are absolute and were checked. */
export interface PlaybookCall {
  ansiblePlaybook: string;
  playbook: string;
  inventory: string;
  /** The user of the connection, if its key has one. */
  user: string | undefined;
  vaultPasswordFile: string | undefined;
  /** Files with the passwords of vaults that have an id. */
  vaults: readonly { readonly name: string; readonly file: string }[];
  extraVariableFiles: readonly string[];
  dryRun: boolean;
  diff: boolean;
  debug: boolean;
  limit: string;
  arguments: readonly string[];
}

/**
 * The command line of ansible-playbook, beginning with its path. A value that a user typed is in one argument with its option,
 * or among the arguments that an editor of the template allowed, so that it can never become an option.
 */
export const commandLine = (call: PlaybookCall): string[] => [
  call.ansiblePlaybook,
  `--inventory=${call.inventory}`,
  ...(call.user === undefined ? [] : [`--user=${call.user}`]),
  ...(call.vaultPasswordFile === undefined ? [] : [`--vault-password-file=${call.vaultPasswordFile}`]),
  ...call.vaults.map(({ name, file }) => `--vault-id=${name}@${file}`),
  ...call.extraVariableFiles.map((file) => `--extra-vars=@${file}`),
  ...(call.dryRun ? ['--check'] : []),
  ...(call.diff ? ['--diff'] : []),
  ...(call.debug ? ['-vvvv'] : []),
  ...(call.limit === '' ? [] : [`--limit=${call.limit}`]),
  ...call.arguments,
  call.playbook,
];

/** Shows control characters as pictures (`␊`), so that a line break in an argument can't forge a line of the log. */
const onOneLine = (argument: string): string =>
  argument.replaceAll(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x7f) return '\u2421';
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\ufffd';
  });

/**
 * The command line for the log, with paths relative to the workspace. The login of a key is masked, because readers of the log
 * may not see it.
 */
export const shownCommandLine = (call: PlaybookCall, runFolder: string): string =>
  commandLine({ ...call, user: call.user === undefined ? undefined : MASK })
    .map((argument, index) =>
      index === 0 ? argument.slice(argument.lastIndexOf('/') + 1) : argument.replaceAll(`${runFolder}/`, ''),
    )
    .map(onOneLine)
    .map((argument) => (/^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`))
    .join(' ');
