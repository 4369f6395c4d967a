import { isSignedIn, onSessionEnd } from './session.ts';

/** Answers are not kept longer than this, in milliseconds, so that none is used after a change. */
const KEPT_MS = 5_000;

/** The large lists of pages of a project, by the last part of the page's path. */
const LISTS: Readonly<Record<string, string>> = {
  templates: 'templates',
  schedules: 'schedules',
};

const PROJECT_PAGE = /^project\/([1-9]\d*)(?:\/.*)?\/(\w+)$/;

const answers = new Map<string, Promise<Response>>();

/** How every call is sent that has no body. */
export const CALL_OPTIONS = {
  method: 'GET',
  credentials: 'same-origin',
  headers: { accept: 'application/json' },
} as const satisfies RequestInit;

/**
 * Sends the first calls of a page of a project before the code of the page is loaded. `takeEarly` returns their answers.
 * @param path path of the page below the base address
 */
export const callEarly = (path: string): void => {
  const [, project, page = ''] = PROJECT_PAGE.exec(path) ?? [];
  if (project === undefined || !isSignedIn()) return;
  const list = LISTS[page];
  const ofProject = list === undefined ? ['role'] : [list, 'role'];
  for (const address of ['api/user', 'api/projects', ...ofProject.map((name) => `api/project/${project}/${name}`)]) {
    const answer = fetch(new URL(address, document.baseURI), CALL_OPTIONS);
    // Reported by the call that takes the answer.
    answer.catch(() => undefined);
    answers.set(address, answer);
  }
  setTimeout(dropEarly, KEPT_MS);
};

/** The answer of an early call, which only one call gets. Undefined if there was none. */
export const takeEarly = (address: string): Promise<Response> | undefined => {
  const answer = answers.get(address);
  answers.delete(address);
  return answer;
};

/**
 * Discards the early answers. Called when the live connection opens: a change before that was not reported, so an early
 * answer may lack it.
 */
export const dropEarly = (): void => answers.clear();

// The next user of this page must not get the answers of this one.
onSessionEnd(dropEarly);
