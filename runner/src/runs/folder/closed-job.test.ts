import { createHash } from 'node:crypto';
import { JobSpec } from '@signalbox/contract/link';
import { describe, expect, it } from 'vitest';
import { Apps } from '../../apps/apps.ts';
import { ClosedJob, closeJob, decryptSecrets, OldClosedJob } from './closed-job.ts';

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64');
const KEY = keyOf('this run');

const apps = new Apps({ data: '/nonexistent', env: {} });

const makeJob = (change: Partial<JobSpec> = {}): JobSpec =>
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

describe('[S5] the job of a run that has ended', () => {
  it('contains no readable secret, and decrypts what must be masked with the key', () => {
    const closed = closeJob(makeJob(), KEY, apps);
    expect(JSON.stringify(closed)).not.toContain('secret-');
    expect(closed.job).toMatchObject({ task_id: 1, epoch: 2, project_id: 3, playbook: 'site.yml' });
    const secrets = [1, 3, 4, 5, 6, 7, 8].map((n) => `secret-${n}`);
    expect(decryptSecrets(closed, KEY)?.toSorted()).toEqual([...secrets, 'user'].toSorted());
  });

  it('is not decrypted with another key, for another run, or after a change', () => {
    const closed = closeJob(makeJob(), KEY, apps);
    for (const key of [keyOf('another run'), '', 'AAAA']) expect(decryptSecrets(closed, key)).toBeUndefined();
    expect(decryptSecrets({ ...closed, job: { ...closed.job, epoch: 3 } }, KEY)).toBeUndefined();
    const bytes = Buffer.from(closed.secrets, 'base64');
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    for (const secrets of [bytes.toString('base64'), closed.secrets.slice(0, 8)])
      expect(decryptSecrets({ ...closed, secrets }, KEY)).toBeUndefined();
  });

  it('needs no key if nothing is to be masked', () => {
    const nothing = { type: 'none' } as const;
    const plain = makeJob({
      repository: { id: 1, url: '/somewhere', branch: '', access: nothing },
      inventory: { type: 'static', inventory: 'one', access: nothing, become: null },
      ...{ vault_password: null, secret_variables: {}, secret_environment: {} },
    });
    expect(decryptSecrets(closeJob(plain, KEY, apps), keyOf('any'))).toEqual([]);
  });

  it('is read as an earlier version wrote it, without an app', () => {
    const { job, secrets } = closeJob(makeJob(), KEY, apps);
    const { app: _, ...oldJob } = job;
    const old = JSON.parse(`{"order": ${JSON.stringify(oldJob)}, "secrets": ${JSON.stringify(secrets)}}`);
    expect(OldClosedJob.parse(old)).toEqual({ job, secrets });
    expect(ClosedJob.safeParse(old).success).toBe(false);
  });
});
