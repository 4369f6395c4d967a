import { onTestFinished, vi } from 'vitest';

/** A recorded call. */
export interface Made {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** A response: a status with a JSON body, or a network failure. */
export type Given =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'unreachable';

/** Replaces `fetch` for one test and records all calls. */
export const answerCalls = (answer: (made: Made) => Given | Promise<Given>): Made[] => {
  const calls: Made[] = [];
  vi.stubGlobal('fetch', async (url: URL | string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url);
    const text = typeof init.body === 'string' ? init.body : undefined;
    const made: Made = {
      method: init.method ?? 'GET',
      path: pathname,
      query: searchParams,
      body: text === undefined ? undefined : JSON.parse(text),
    };
    calls.push(made);
    const given = await answer(made);
    if (given === 'unreachable') throw new TypeError('Failed to fetch');
    const empty = given.body === undefined;
    return new Response(empty ? null : JSON.stringify(given.body), {
      status: given.status,
      headers: { ...(empty ? {} : { 'content-type': 'application/json; charset=utf-8' }), ...given.headers },
    });
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return calls;
};
