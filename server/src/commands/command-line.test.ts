import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCommandLine } from './command-line.ts';
import { completionScript, stepsOf } from './completion-script.ts';
import { messageOf } from './error-message.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/operations/command-line.md', import.meta.url), 'utf8');

/** Commands without subcommands, with their full names. */
const leaves = (command: Command, before = ''): { readonly args: string; readonly command: Command }[] => {
  const args = `${before} ${command.name()}`.trim();
  return command.commands.length === 0 ? [{ args, command }] : command.commands.flatMap((one) => leaves(one, args));
};

/** Returns what bash offers at the end of a line. */
const offered = (line: string): string[] => {
  const args = line.split(' ');
  const script = `${completionScript(makeCommandLine(), 'bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script, 'bash', ...args], { encoding: 'utf8' })
    .trim()
    .split('\n');
};

describe('the command line', () => {
  it('is documented in docs/operations/command-line.md with every command and option', () => {
    const all = leaves(makeCommandLine());
    expect(all.length).toBeGreaterThan(18);
    for (const { args, command } of all) {
      expect(DOCUMENT).toContain(`\`${args}`);
      for (const { long } of command.options) expect(DOCUMENT, args).toMatch(new RegExp(`${long}(?![\\w-])`));
    }
  });

  it('describes every command and option in its help', () => {
    for (const { after, completions: args } of stepsOf(makeCommandLine()))
      for (const { text, description } of args) expect(description, `${after} ${text}`).not.toBe('');
  });

  it('is completed step by step in bash', () => {
    expect(offered('signalbox us')).toEqual(['user']);
    expect(offered('signalbox user to')).toEqual(['token']);
    expect(offered('signalbox user second-factor re')).toEqual(['reset']);
    expect(offered('signalbox user token ')).toEqual(['create', 'list', 'delete', 'help', '--help']);
    expect(offered('signalbox restore --p')).toEqual(['--passphrase', '--passphrase-stdin']);
    expect(offered('signalbox user add --login x --na')).toEqual(['--name']);
  });

  it('is completed step by step in zsh', () => {
    // Replaces parts of zsh's completion, so that the test needs no terminal.
    const script = `compdef() { :; }; _files() { :; }
_describe() { print -rl -- "\${(@P)2}"; }
${completionScript(makeCommandLine(), 'zsh')}
words=("$@"); CURRENT=$#; _signalbox`;
    const entries = (line: string): string[] => {
      const output = execFileSync('zsh', ['-f', '-c', script, 'zsh', ...line.split(' ')], { encoding: 'utf8' });
      return output.trim().split('\n');
    };
    const names = (line: string): string[] => entries(line).map((one) => one.replace(/:.*/, ''));
    expect(names('signalbox user token ')).toEqual(['create', 'list', 'delete', 'help', '--help']);
    expect(names('signalbox restore --p')).toContain('--passphrase-stdin');
    expect(names('signalbox user add --login x --na')).toContain('--name');
    expect(entries('signalbox user to')).toContain('token:create, list and delete API tokens of a user');
  });

  it('is completed step by step in fish, with file names only where a file is expected', () => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-fish-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    writeFileSync(join(home, 'web.backup'), '');
    const complete = (line: string): string[] => {
      const script = `${completionScript(makeCommandLine(), 'fish')}\ncomplete -C '${line}'`;
      const env = { PATH: process.env.PATH, HOME: home };
      const output = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8', cwd: home, env });
      return output.split('\n').flatMap((entry) => entry.split('\t')[0] || []);
    };
    expect(complete('signalbox us')).toEqual(['user']);
    expect(complete('signalbox user token ')).toEqual(['create', 'delete', 'help', 'list', '--help']);
    expect(complete('signalbox user add --login x --na')).toEqual(['--name']);
    expect(complete('signalbox restore w')).toEqual(['web.backup']);
  });

  it('explains an invalid command in one sentence', () => {
    const output: string[] = [];
    const program = makeCommandLine();
    const list = program.commands.find((one) => one.name() === 'user')?.commands.find((one) => one.name() === 'list');
    for (const one of [program, list])
      one?.configureOutput({ ...one.configureOutput(), writeErr: (text) => output.push(text) });
    expect(() => program.parse(['node', 'signalbox', 'user', 'list', 'extra'])).toThrow();
    expect(output).toEqual(["Too many arguments for 'list'. Expected 0 arguments but got 1: extra.\n"]);
  });

  it.each(['zsh', 'fish'] as const)('offers every command for %s', (shell) => {
    const script = completionScript(makeCommandLine(), shell);
    for (const { after, completions: args } of stepsOf(makeCommandLine())) {
      expect(script).toContain(after);
      for (const { text } of args) expect(script, after).toContain(text);
    }
  });

  it('treats an error that no user can resolve as unexpected', async () => {
    expect(await messageOf(new TypeError('x is undefined'))).toBeUndefined();
  });
});
