import { MASK } from '../../output/masker.ts';

/** What the command line is made of. Paths are absolute and were checked. */
export interface PlaybookCall {
  ansiblePlaybook: string;
  playbook: string;
  inventory: string;
  /** Of the connection, when its key names one. */
  user: string | undefined;
  vaultPasswordFile: string | undefined;
  extraVariableFiles: readonly string[];
  dryRun: boolean;
  diff: boolean;
  debug: boolean;
  limit: string;
  arguments: readonly string[];
}

/**
 * The arguments of ansible-playbook, its own path first. What a user typed is one word with its option, or comes as the
 * arguments that a template's editor allowed, and can so never become an option.
 */
export const commandLine = (call: PlaybookCall): string[] => [
  call.ansiblePlaybook,
  `--inventory=${call.inventory}`,
  ...(call.user === undefined ? [] : [`--user=${call.user}`]),
  ...(call.vaultPasswordFile === undefined ? [] : [`--vault-password-file=${call.vaultPasswordFile}`]),
  ...call.extraVariableFiles.map((file) => `--extra-vars=@${file}`),
  ...(call.dryRun ? ['--check'] : []),
  ...(call.diff ? ['--diff'] : []),
  ...(call.debug ? ['-vvvv'] : []),
  ...(call.limit === '' ? [] : [`--limit=${call.limit}`]),
  ...call.arguments,
  call.playbook,
];

/** Shows control characters as pictures (`␊`), so that a line break in an argument can't forge a line of the log. */
const onOneLine = (word: string): string =>
  word.replaceAll(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x7f) return '\u2421';
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\ufffd';
  });

/**
 * The command line as the log shows it: what lies in the run's folder by its name there. A key's login is left out: who
 * may read the log may not read that.
 */
export const shownCommandLine = (call: PlaybookCall, runFolder: string): string =>
  commandLine({ ...call, user: call.user === undefined ? undefined : MASK })
    .map((word, index) => (index === 0 ? word.slice(word.lastIndexOf('/') + 1) : word.replaceAll(`${runFolder}/`, '')))
    .map(onOneLine)
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
