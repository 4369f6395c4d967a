import { describe, expect, it } from 'vitest';
import { optionsSetBy } from './option-arguments.ts';

describe('the options of a run that arguments set', () => {
  it.each([
    [[], []],
    [['--force-handlers', '--start-at-task', 'Copy'], []],
    [['--list-hosts', '--user=web'], []],
    [['--limit', 'web'], ['limit']],
    [['--limit=web'], ['limit']],
    [['-l', 'web'], ['limit']],
    [['-lweb'], ['limit']],
    [['--lim=web'], ['limit']],
    [
      ['-t', 'a', '--skip-tags=b'],
      ['tags', 'skip_tags'],
    ],
    [['-tC'], ['tags']],
    [['-f5'], ['forks']],
    [['-CD'], ['dry_run', 'diff']],
    [
      ['--check', '--diff'],
      ['dry_run', 'diff'],
    ],
    [['-vvv'], ['verbosity']],
    [['--verbose'], ['verbosity']],
    [['-i', 'x,'], ['inventory_id']],
    [['--inv=x,'], ['inventory_id']],
    [['--vault-id', 'prod@file'], ['vaults']],
    [['-e', 'x=1'], ['variables']],
    [['-Ce@file.yml'], ['dry_run', 'variables']],
    [['--extra=x=1'], ['variables']],
    [['--', '-'], []],
    [['-'], []],
  ])('%j', (args, options) => {
    expect([...optionsSetBy(args)].toSorted()).toEqual(options.toSorted());
  });
});
