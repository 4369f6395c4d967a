import { describe, expect, it } from 'vitest';
import { ansibleCommand } from './command-preview.ts';

const NOTHING = {
  ...{ limit: '', tags: [], skip_tags: [], verbosity: 0, forks: '', dry_run: false, diff: false },
  arguments: '',
};
const TEMPLATE = { playbook: 'site.yml', arguments: '[]' };

describe('the shown command line of Ansible', () => {
  it('contains the options and arguments of template and task, quoted as for a shell', () => {
    expect(ansibleCommand(TEMPLATE, NOTHING)).toEqual(['ansible-playbook', 'site.yml']);
    expect(
      ansibleCommand(
        { playbook: 'a b.yml', arguments: '["--force-handlers"]' },
        {
          limit: 'web:&fra:!web-1',
          tags: ['a', 'b'],
          skip_tags: ["c'd"],
          verbosity: 2,
          forks: '8',
          dry_run: true,
          diff: true,
          arguments: '["-e","x=1"]',
        },
      ).join(' '),
    ).toBe(
      "ansible-playbook 'a b.yml' --check --diff '--limit=web:&fra:!web-1' --force-handlers --tags=a,b '--skip-tags=c'\\''d' --forks=8 -vv -e x=1",
    );
  });

  it('contains control characters and invisible ones as escape sequences of a shell', () => {
    const task = { ...NOTHING, arguments: JSON.stringify(['--tags', '\u001b[201~\u0003rm\n', "a\u202e'b\\"]) };
    expect(ansibleCommand(TEMPLATE, task).slice(2)).toEqual([
      '--tags',
      "$'\\U0000001b[201~\\U00000003rm\\U0000000a'",
      "$'a\\U0000202e\\'b\\\\'",
    ]);
  });

  it('leaves out arguments that are not valid yet', () => {
    expect(ansibleCommand(TEMPLATE, { ...NOTHING, arguments: '["-e' })).toEqual(['ansible-playbook', 'site.yml']);
  });
});
