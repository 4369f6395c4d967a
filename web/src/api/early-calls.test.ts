import { describe, expect, it, onTestFinished } from 'vitest';
import { answerCalls } from '../testing/test-fetch.ts';
import { call } from './call.ts';
import { callEarly, dropEarly } from './early-calls.ts';
import { endSession } from './session.ts';

const SIGNED_IN = 'signalbox_signed_in=1';

const early = (page: string) => {
  // biome-ignore lint/suspicious/noDocumentCookie: the page reads this cookie
  document.cookie = SIGNED_IN;
  onTestFinished(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the page reads this cookie
    document.cookie = `${SIGNED_IN}; max-age=0`;
    dropEarly();
  });
  const made = answerCalls(({ path }) => ({ status: 200, body: [path] }));
  callEarly(page);
  return made;
};

describe('the calls before the code of a page is loaded', () => {
  it.each([
    ['project/7/templates', ['/api/user', '/api/projects', '/api/project/7/templates', '/api/project/7/role']],
    ['project/7/views/3/templates', ['/api/user', '/api/projects', '/api/project/7/templates', '/api/project/7/role']],
    ['project/7/schedules', ['/api/user', '/api/projects', '/api/project/7/schedules', '/api/project/7/role']],
    ['project/7/history', ['/api/user', '/api/projects', '/api/project/7/role']],
    ['project/new', []],
    ['users', []],
  ])('of %s are those that the page makes first', (page, paths) => {
    expect(early(page).map(({ path }) => path)).toEqual(paths);
  });

  it('are not made without a session', () => {
    const made = answerCalls(() => ({ status: 200, body: [] }));
    callEarly('project/7/templates');
    expect(made).toEqual([]);
  });

  it('answer one call of the page each', async () => {
    const made = early('project/7/templates');
    const params = { project_id: 7 };
    expect(await call('listTemplates', { params })).toEqual(['/api/project/7/templates']);
    expect(made).toHaveLength(4);
    await call('listTemplates', { params });
    expect(made).toHaveLength(5);
  });

  it('answer no call after the session has ended', async () => {
    const made = early('project/7/templates');
    endSession('left');
    await call('currentUser');
    expect(made).toHaveLength(5);
  });

  it('answer no call once changes are reported to the page', async () => {
    const made = early('project/7/templates');
    dropEarly();
    await call('currentUser');
    expect(made).toHaveLength(5);
  });
});
