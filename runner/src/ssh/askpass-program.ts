import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WritableFolder } from '../files/writable-folder.ts';

/** Quotes one argument for a shell. */
export const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const writeProgram = (folder: WritableFolder, lines: readonly string[]): Promise<string> =>
  folder.write('ask', ['#!/bin/sh', ...lines, 'exit 1', ''].join('\n'), 0o700);

/**
 * A program that answers git's login prompts for one server from files, so that no secret is in an argument or the
 * environment. For another server, such as that of a submodule, it prints nothing.
 * @param origin as git writes it in the prompt: scheme, host and port, without user info
 */
export const writeLoginProgram = async (
  folder: WritableFolder,
  origin: string,
  login: string,
  password: string,
): Promise<string> => {
  await folder.write('login', login);
  await folder.write('password', password);
  const [scheme = '', host = ''] = origin.split('://');
  const file = (name: string) => quoted(join(folder.path, name));
  // The whole prompt is compared: the name of another server could begin with this name.
  return writeProgram(folder, [
    'case "$1" in',
    `  ${quoted(`Username for '${origin}': `)}) exec cat ${file('login')} ;;`,
    `  ${quoted(`Password for '${origin}': `)}) exec cat ${file('password')} ;;`,
    `  ${quoted(`Password for '${scheme}://`)}*${quoted(`@${host}': `)}) exec cat ${file('password')} ;;`,
    'esac',
  ]);
};

/**
 * Calls `use` with a program that prints a passphrase once, because ssh-add repeats its prompt without end. The program
 * is removed afterwards. An empty passphrase is never printed.
 */
export const withPassphraseProgram = async <T>(
  folder: string,
  passphrase: string,
  use: (program: string) => Promise<T>,
): Promise<T> => {
  const own = await WritableFolder.ofRunner(folder).create();
  try {
    const file = join(folder, 'passphrase');
    if (passphrase !== '') await own.write('passphrase', passphrase);
    return await use(await writeProgram(own, [`cat ${quoted(file)} && rm ${quoted(file)} && exit 0`]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
