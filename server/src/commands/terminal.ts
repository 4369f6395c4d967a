import { StartError } from '../start-error.ts';
import { terminalLine } from './terminal-line.ts';

/** Prints a line of the result on standard output. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints a line for the user on standard error. */
export const note = (line: string): void =>
  // The line may quote a file of another user.
  void process.stderr.write(`${terminalLine(line.replaceAll(/[\r\n]+/g, ' '), false)}\n`);

/** Prints a result as JSON. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

const readInput = async (): Promise<string> => {
  let text = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) text += chunk as string;
  return text.replace(/\r?\n$/, '');
};

/**
 * Reads a secret from an option, or from standard input, which other users of the machine cannot see.
 * @param option name of the option without `--`, such as `password`; the alternative is `<option>-stdin`
 * @throws StartError when both are given, or the secret is empty
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
