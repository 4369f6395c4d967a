import { StartError } from '../start-error.ts';
import { terminalLine } from './terminal-line.ts';

/** Prints a line for whoever, or whatever, reads what a command answers. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints a line for the person at the terminal that is no part of the answer. */
export const note = (line: string): void =>
  // What it quotes may come from a file of somebody else.
  void process.stderr.write(`${terminalLine(line.replaceAll(/[\r\n]+/g, ' '), false)}\n`);

/** Prints an answer for scripts. */
export const sayJson = (value: unknown): void => say(JSON.stringify(value, null, 2));

const readInput = async (): Promise<string> => {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) text += chunk as string;
  return text.replace(/\r?\n$/, '');
};

/**
 * A secret that a command was given as an option, or on standard input where no other user of the machine sees it.
 * @param option name of the option without `--`, such as `password`; the other one is `<option>-stdin`
 * @throws StartError when it was given in both ways, or is empty
 */
export const readSecret = async (
  option: string,
  given: string | undefined,
  isOnInput: boolean | undefined,
): Promise<string | undefined> => {
  if (given !== undefined && isOnInput) throw new StartError(`Give either --${option} or --${option}-stdin, not both.`);
  const secret = isOnInput ? await readInput() : given;
  if (secret === '')
    throw new StartError(isOnInput ? `There is no ${option} on standard input.` : `The ${option} is empty.`);
  return secret;
};
