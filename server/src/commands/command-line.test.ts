import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { makeCommandLine } from './command-line.ts';
import { completionScript, stepsOf } from './completion-script.ts';
import { isForPeople } from './fault.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/operations/command-line.md', import.meta.url), 'utf8');

/** Commands that do something, with all their words. */
const leaves = (command: Command, before = ''): { readonly words: string; readonly command: Command }[] => {
  const words = `${before} ${command.name()}`.trim();
  return command.commands.length === 0 ? [{ words, command }] : command.commands.flatMap((one) => leaves(one, words));
};

/** What bash would offer at the end of a line. */
const offered = (line: string): string[] => {
  const words = line.split(' ');
  const script = `${completionScript(makeCommandLine(), 'bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
    .trim()
    .split('\n');
};

describe('the command line', () => {
  it('is described in docs/operations/command-line.md, every command and every option of it', () => {
    const all = leaves(makeCommandLine());
    expect(all.length).toBeGreaterThan(18);
    for (const { words, command } of all) {
      expect(DOCUMENT).toContain(`\`${words}`);
      for (const { long } of command.options) expect(DOCUMENT, words).toMatch(new RegExp(`${long}(?![\\w-])`));
    }
  });

  it('describes every command and every option in its help', () => {
    for (const { after, words } of stepsOf(makeCommandLine()))
      for (const { text, description } of words) expect(description, `${after} ${text}`).not.toBe('');
  });

  it('is completed by bash, word by word', () => {
    expect(offered('signalbox us')).toEqual(['user']);
    expect(offered('signalbox user to')).toEqual(['token']);
    expect(offered('signalbox user second-factor re')).toEqual(['reset']);
    expect(offered('signalbox user token ')).toEqual(['create', 'list', 'delete', 'help', '--help']);
    expect(offered('signalbox restore --p')).toEqual(['--passphrase', '--passphrase-stdin']);
    expect(offered('signalbox user add --login x --na')).toEqual(['--name']);
  });

  it.each(['zsh', 'fish'] as const)('names every command for %s', (shell) => {
    const script = completionScript(makeCommandLine(), shell);
    for (const { after, words } of stepsOf(makeCommandLine())) {
      expect(script).toContain(after);
      for (const { text } of words) expect(script, after).toContain(text);
    }
  });

  it('takes for a fault of its own what no person can mend', () => {
    expect(isForPeople(new TypeError('x is undefined'))).toBe(false);
  });
});
