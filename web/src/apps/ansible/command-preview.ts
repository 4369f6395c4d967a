import type { Template } from '@signalbox/contract';
import { argumentList } from '../../ui/tasks/task-arguments.ts';
import type { LaunchedOptions } from '../page-app.ts';

/** Control characters would act in a terminal into which the command is pasted. */
const CONTROL = /\p{Cc}|\p{Cf}/u;

const escaped = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  if (character === "'" || character === '\\') return `\\${character}`;
  return CONTROL.test(character) ? `\\U${code.toString(16).padStart(8, '0')}` : character;
};

const quoted = (argument: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  if (CONTROL.test(argument)) return `$'${[...argument].map(escaped).join('')}'`;
  return `'${argument.replaceAll("'", "'\\''")}'`;
};

/** The command line of a run as arguments in the order in which the run gets them, quoted as for a shell, without what depends on the runner: inventory, variables and passwords. */
export const ansibleCommand = (
  { playbook, arguments: ofTemplate }: Pick<Template, 'playbook' | 'arguments'>,
  { limit, tags, skip_tags, verbosity, forks, dry_run, diff, arguments: ofTask }: LaunchedOptions,
): string[] =>
  [
    'ansible-playbook',
    playbook,
    ...(dry_run ? ['--check'] : []),
    ...(diff ? ['--diff'] : []),
    ...(limit.trim() === '' ? [] : [`--limit=${limit.trim()}`]),
    ...argumentList(ofTemplate),
    ...(tags.length > 0 ? [`--tags=${tags.join(',')}`] : []),
    ...(skip_tags.length > 0 ? [`--skip-tags=${skip_tags.join(',')}`] : []),
    ...(forks.trim() === '' ? [] : [`--forks=${forks.trim()}`]),
    ...(verbosity > 0 ? [`-${'v'.repeat(verbosity)}`] : []),
    ...argumentList(ofTask),
  ].map(quoted);
