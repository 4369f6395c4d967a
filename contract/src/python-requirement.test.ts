import { expect, it } from 'vitest';
import { wrongRequirement } from './python-requirement.ts';

it.each([
  'ansible-core',
  'ansible-core==2.19.1 # the version of the hosts',
  'ansible-core >= 2.18, < 2.20',
  'ansible-core (>=2.18)',
  'requests[security,socks]~=2.32; python_version >= "3.10"',
  'netaddr===1.3.0 --hash=sha256:0123',
  'numpy==2.*',
  'local @ https://packages.example/local.whl',
  'git+https://git.example/tool.git@v1',
  './packages/tool',
  'tool.whl',
  '-r other.txt\n--index-url https://packages.example',
  `name @ https://$\{TOKEN}@packages.example/name.tar.gz`,
  'ansible-core \\\n  ==2.19.1',
])('accepts what pip can read: %s', (text) => expect(wrongRequirement(text)).toBeUndefined());

it.each([
  ['ansible-core=2.19.1', 'ansible-core=2.19.1'],
  ['netaddr\nansible core', 'ansible core'],
  ['ansible-core==', 'ansible-core=='],
  ['ansible-core 2.19.1', 'ansible-core 2.19.1'],
  ['ansible-core=>2.19', 'ansible-core=>2.19'],
  ['"ansible-core"', '"ansible-core"'],
  ['name[extra==1', 'name[extra==1'],
])('finds the line with a typing error: %s', (text, line) => expect(wrongRequirement(text)).toBe(line));

it('reads very long texts quickly', () => {
  const since = performance.now();
  for (const part of ['a', '[', ' ', ',', '==1,', 'a-']) wrongRequirement(`x${part.repeat(10_000 / part.length)}!`);
  expect(performance.now() - since).toBeLessThan(500);
});
