import { describe, expect, it } from 'vitest';
import { ImageName } from './execution-environment.ts';

describe('the name of a container image', () => {
  it.each([
    'ansible',
    'docker:24',
    'team/ansible:2.19',
    'localhost/ansible',
    'registry:5000/team/ansible:2.19',
    '127.0.0.1:5000/ansible',
    `ghcr.io/team/ansible:2.19@sha256:${'0'.repeat(64)}`,
    'dir/ansible:1',
    'abcdef:1',
    'team/abcdef',
    `abcdef@sha256:${'0'.repeat(64)}`,
  ])('can be %s', (name) => expect(ImageName.parse(name)).toBe(name));

  it.each([
    '',
    '-a',
    '--authfile=/x',
    'a b',
    '/srv/image.tar',
    'dir:/srv/image',
    'dir:image',
    'oci:image:1',
    'oci-archive:/srv/image.tar',
    'docker-archive:/srv/image.tar',
    'docker-archive:image.tar:ansible:1',
    'docker-daemon:ansible:1',
    'containers-storage:ansible',
    'docker://ghcr.io/team/ansible',
    'https://ghcr.io/team/ansible',
    'abc',
    'ABCDEF012345',
    '0'.repeat(64),
    `sha256:${'0'.repeat(64)}`,
    'sha512:abc',
  ])('cannot be an id, a file or an option: %s', (name) => expect(ImageName.safeParse(name).success).toBe(false));
});
