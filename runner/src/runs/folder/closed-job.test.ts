import { createHash } from 'node:crypto';
import { JobSpec } from '@signalbox/contract/link';
import { describe, expect, it } from 'vitest';
import { closeJob, decryptSecrets } from './closed-job.ts';

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64');
const KEY = keyOf('this run');

const order = (change: Partial<JobSpec> = {}): JobSpec =>
  JobSpec.parse({
    ...{ task_id: 1, epoch: 2, project_id: 3, template_name: 'Test', commit: null, playbook: 'site.yml' },
    repository: { id: 1, url: 'https://user:secret-1@example.com/x.git', branch: '', access: { type: 'none' } },
    inventory: {
      type: 'static',
      inventory: 'one ansible_password=secret-2',
      access: { type: 'ssh', login: 'root', private_key: 'secret-3', passphrase: 'secret-4' },
      become: { type: 'login_password', login: 'root', password: 'secret-5' },
    },
    vault_password: 'secret-6',
    secret_variables: { a: 'secret-7' },
    secret_environment: { A: 'secret-8' },
    extra_variables: { b: 'secret-9' },
    answers: { c: 'secret-10' },
    process_environment: { D: 'secret-11' },
    ...{ task_details: {}, arguments: [], limit: '', debug: false, dry_run: false, diff: false },
    ...change,
  });

describe('[S5] what stays of an order when its run has ended', () => {
  it('shows no secret, and gives those that must be masked for the key', () => {
    const sealed = closeJob(order(), KEY);
    expect(JSON.stringify(sealed)).not.toContain('secret-');
    expect(sealed.order).toMatchObject({ task_id: 1, epoch: 2, project_id: 3, playbook: 'site.yml' });
    const secrets = [1, 3, 4, 5, 6, 7, 8].map((n) => `secret-${n}`);
    expect(decryptSecrets(sealed, KEY)?.toSorted()).toEqual([...secrets, 'user'].toSorted());
  });

  it('opens with no other key, for no other run, and not when it was changed', () => {
    const sealed = closeJob(order(), KEY);
    for (const key of [keyOf('another run'), '', 'AAAA']) expect(decryptSecrets(sealed, key)).toBeUndefined();
    expect(decryptSecrets({ ...sealed, order: { ...sealed.order, epoch: 3 } }, KEY)).toBeUndefined();
    const bytes = Buffer.from(sealed.secrets, 'base64');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    for (const secrets of [bytes.toString('base64'), sealed.secrets.slice(0, 8)])
      expect(decryptSecrets({ ...sealed, secrets }, KEY)).toBeUndefined();
  });

  it('needs no key where nothing is to be masked', () => {
    const nothing = { type: 'none' } as const;
    const plain = order({
      repository: { id: 1, url: '/somewhere', branch: '', access: nothing },
      inventory: { type: 'static', inventory: 'one', access: nothing, become: null },
      ...{ vault_password: null, secret_variables: {}, secret_environment: {} },
    });
    expect(decryptSecrets(closeJob(plain, KEY), keyOf('any'))).toEqual([]);
  });
});
