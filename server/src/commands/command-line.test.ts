import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCommandLine } from './command-line.ts';
import { completionScript, stepsOf } from './completion-script.ts';
import { sentenceOf } from './fault.ts';

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

  it('is completed by zsh, word by word', () => {
    // What zsh's own parts of the completion would do, so that it needs no terminal.
    const script = `compdef() { :; }; _files() { :; }
_describe() { print -rl -- "\${(@P)2}"; }
${completionScript(makeCommandLine(), 'zsh')}
words=("$@"); CURRENT=$#; _signalbox`;
    const entries = (line: string): string[] => {
      const said = execFileSync('zsh', ['-f', '-c', script, 'zsh', ...line.split(' ')], { encoding: 'utf8' });
      return said.trim().split('\n');
    };
    const names = (line: string): string[] => entries(line).map((one) => one.replace(/:.*/, ''));
    expect(names('signalbox user token ')).toEqual(['create', 'list', 'delete', 'help', '--help']);
    expect(names('signalbox restore --p')).toContain('--passphrase-stdin');
    expect(names('signalbox user add --login x --na')).toContain('--name');
    expect(entries('signalbox user to')).toContain('token:make, list and delete API tokens of a user');
  });

  it('is completed by fish, word by word, and by files only where one may stand', () => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-fish-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(join(home, 'web.backup'), '');
    const complete = (line: string): string[] => {
      const script = `${completionScript(makeCommandLine(), 'fish')}\ncomplete -C '${line}'`;
      const env = { PATH: process.env.PATH, HOME: home };
      const said = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8', cwd: home, env });
      return said.split('\n').flatMap((entry) => entry.split('\t')[0] || []);
    };
    expect(complete('signalbox us')).toEqual(['user']);
    expect(complete('signalbox user token ')).toEqual(['create', 'delete', 'help', 'list', '--help']);
    expect(complete('signalbox user add --login x --na')).toEqual(['--name']);
    expect(complete('signalbox restore w')).toEqual(['web.backup']);
  });

  it('says what is wrong with a command in one sentence', () => {
    const said: string[] = [];
    const program = makeCommandLine();
    const list = program.commands.find((one) => one.name() === 'user')?.commands.find((one) => one.name() === 'list');
    for (const one of [program, list])
      one?.configureOutput({ ...one.configureOutput(), writeErr: (text) => said.push(text) });
    expect(() => program.parse(['node', 'signalbox', 'user', 'list', 'extra'])).toThrow();
    expect(said).toEqual(["Too many arguments for 'list'. Expected 0 arguments but got 1: extra.\n"]);
  });

  it.each(['zsh', 'fish'] as const)('names every command for %s', (shell) => {
    const script = completionScript(makeCommandLine(), shell);
    for (const { after, words } of stepsOf(makeCommandLine())) {
      expect(script).toContain(after);
      for (const { text } of words) expect(script, after).toContain(text);
    }
  });

  it('takes for a fault of its own what no person can mend', async () => {
    expect(await sentenceOf(new TypeError('x is undefined'))).toBeUndefined();
  });
});
