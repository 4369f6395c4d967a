import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { answerCalls } from '../testing/test-fetch.ts';
import { ApiError } from './api-error.ts';
import { call, callUrl } from './call.ts';
import { onSessionEnd } from './session.ts';

const ended: string[] = [];
const stop = onSessionEnd(() => ended.push('ended'));
afterEach(() => {
  ended.length = 0;
});
afterAll(stop);

describe('an API call', () => {
  it('puts parameters into the path and the query, and leaves out undefined ones', async () => {
    const calls = answerCalls(() => ({ status: 200, body: [] }));
    await call('listTasks', { params: { project_id: 7 }, query: { limit: 20, before: undefined, status: 'error' } });
    expect(calls[0]).toMatchObject({ method: 'GET', path: '/api/project/7/tasks', body: undefined });
    expect(calls[0]?.query.toString()).toBe('limit=20&status=error');
  });

  it('sends a body as JSON and returns the answer', async () => {
    const calls = answerCalls(() => ({ status: 201, body: { id: 3, name: 'Lab' } }));
    const project = await call('createProject', { body: { name: 'Lab' } });
    expect(calls[0]).toMatchObject({ method: 'POST', path: '/api/projects', body: { name: 'Lab' } });
    expect(project.id).toBe(3);
  });

  it('returns undefined for an empty answer', async () => {
    answerCalls(() => ({ status: 204 }));
    expect(await call('signOut')).toBeUndefined();
  });

  it('throws the error of the server, with the messages of its fields', async () => {
    answerCalls(() => ({
      status: 400,
      body: { error: 'Not so.', code: 'bad_input', fields: { name: 'is required' } },
    }));
    const error = await call('createProject', { body: { name: '' } }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).status).toBe(400);
    expect((error as ApiError).answer.error).toBe('Not so.');
    expect((error as ApiError).fields).toEqual({ name: 'is required' });
  });

  it('throws when the body of an error is not JSON', async () => {
    answerCalls(() => ({ status: 502 }));
    await expect(call('listProjects')).rejects.toMatchObject({ status: 502, fields: {} });
  });

  it('reports that the server cannot be reached', async () => {
    answerCalls(() => 'unreachable');
    await expect(call('listProjects')).rejects.toMatchObject({
      status: 0,
      message: "The server can't be reached. Check the connection and try again.",
    });
  });

  it('ends the session of the page after a 401', async () => {
    answerCalls(() => ({ status: 401, body: { error: 'Sign in first.', code: 'not_signed_in' } }));
    await expect(call('listProjects')).rejects.toMatchObject({ status: 401 });
    expect(ended).toEqual(['ended']);
  });

  it('does not end the session after a wrong password', async () => {
    answerCalls(() => ({ status: 401, body: { error: 'Wrong.', code: 'wrong_login' } }));
    await expect(call('signIn', { body: { auth: 'a', password: 'b' } })).rejects.toMatchObject({ status: 401 });
    expect(ended).toEqual([]);
  });

  it('has the types of its route', async () => {
    answerCalls(() => ({ status: 200, body: [] }));
    // @ts-expect-error a project must be named
    await call('listTasks', {}).catch(() => undefined);
    // @ts-expect-error no route of this name
    await call('listNothing').catch(() => undefined);
    // @ts-expect-error a status must be one of the statuses
    await call('listTasks', { params: { project_id: 1 }, query: { status: 'fine' } });
    const templates = await call('listTemplates', { params: { project_id: 1 } });
    const names: string[] = templates.map(({ name }) => name);
    expect(names).toEqual([]);
  });
});

describe('the URL of an API call', () => {
  it('can be opened by the browser', () => {
    const address = callUrl('getTaskText', { params: { project_id: 1, task_id: 2 } });
    expect(new URL(address).pathname).toBe('/api/project/1/tasks/2/raw_output');
  });

  it('begins with the base path of the page', () => {
    const base = document.createElement('base');
    base.href = '/prefix/';
    document.head.append(base);
    const address = callUrl('getTaskText', { params: { project_id: 1, task_id: 2 } });
    base.remove();
    expect(new URL(address).pathname).toBe('/prefix/api/project/1/tasks/2/raw_output');
  });
});
