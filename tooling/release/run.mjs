import { runQuietly } from '../child.mjs';
import { Refusal } from '../steps.mjs';

/**
 * Runs a program that a release needs.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onLine?: (line: string) => void }} [options]
 * @returns {Promise<string>} its output
 * @throws Refusal with the end of the output if the program fails
 */
export const run = async (file, args, options) => {
  const { code, output } = await runQuietly(file, args, options);
  if (code === 0) return output;
  throw new Refusal(`${output.trimEnd().slice(-4000)}\n\n${file} failed with exit code ${code}; its output is above.`);
};
