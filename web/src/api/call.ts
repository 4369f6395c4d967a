import { ROUTES } from 'virtual:routes';
import type { AnswerOf, BodyInput, ErrorAnswer, ParamsOf, QueryOf, RouteName, RouteTable } from '@signalbox/contract';
import { errorTexts } from '../lang/error-texts.ts';
import { translate } from '../lang/translate.ts';
import { ApiError } from './api-error.ts';
import { CALL_OPTIONS, takeEarly } from './early-calls.ts';
import { knownList, rememberList } from './known-answers.ts';
import { endSession } from './session.ts';

type Route<N extends RouteName> = RouteTable[N];

type ParamsFor<N extends RouteName> = ParamsOf<Route<N>>;
type QueryFor<N extends RouteName> = Partial<QueryOf<Route<N>>>;
type BodyFor<N extends RouteName> = BodyInput<Route<N>>;

/** Input of a call, derived from its route: path parameters, query and body. */
export type CallInput<N extends RouteName> = (Route<N> extends { params: unknown }
  ? { params: ParamsFor<N> }
  : unknown) &
  (Route<N> extends { query: unknown } ? { query?: QueryFor<N> | undefined } : unknown) &
  (Route<N> extends { body: unknown } ? { body: BodyFor<N> } : unknown) & { signal?: AbortSignal };

type Given<N extends RouteName> = object extends CallInput<N> ? [input?: CallInput<N>] : [input: CallInput<N>];

/** Result of a call, derived from its route. Undefined for calls without a body in the response and for streams. */
export type Answer<N extends RouteName> = AnswerOf<Route<N>>;

interface LooseInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

const urlOf = (path: string, { params = {}, query = {} }: LooseInput): string => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `api${filled}${search === '' ? '' : `?${search}`}`;
};

/** The absolute URL of a call, for links that the browser opens itself. */
export const callUrl = <N extends RouteName>(name: N, input: Omit<CallInput<N>, 'body' | 'signal'>): string =>
  new URL(urlOf(ROUTES[name].path, input as LooseInput), document.baseURI).href;

const readAnswer = async (response: Response): Promise<unknown> => {
  if (!response.headers.get('content-type')?.includes('application/json')) return undefined;
  return response.json();
};

const readError = async (response: Response): Promise<ApiError> => {
  const answer = (await readAnswer(response).catch(() => undefined)) as Partial<ErrorAnswer> | undefined;
  await errorTexts.load();
  return new ApiError(response.status, response.statusText, answer ?? {});
};

/** Calls for which a 401 means wrong credentials, not an ended session. */
const SIGNS_IN: readonly RouteName[] = ['signIn', 'enterSecondFactor'];

/**
 * Makes one API call. A 401 also ends the session in the page, except for sign-in calls, where it means a wrong
 * password or code.
 * @throws ApiError for every failure except an abort
 */
export const call = async <N extends RouteName>(name: N, ...[input]: Given<N>): Promise<Answer<N>> => {
  const given: LooseInput = input ?? {};
  const { method, path } = ROUTES[name];
  const address = urlOf(path, given);
  const init: RequestInit = { ...CALL_OPTIONS, method };
  if (given.signal) init.signal = given.signal;
  if (given.body !== undefined) {
    init.body = JSON.stringify(given.body);
    init.headers = { accept: 'application/json', 'content-type': 'application/json' };
  }
  let response: Response;
  try {
    const early = method === 'GET' ? takeEarly(address) : undefined;
    response = await (early ?? fetch(new URL(address, document.baseURI), init));
  } catch (error) {
    if (given.signal?.aborted) throw error;
    throw new ApiError(0, '', {}, translate('error.unreachable'));
  }
  if (!response.ok) {
    const error = await readError(response);
    if (response.status === 401 && !SIGNS_IN.includes(name)) endSession('expired');
    if (error.answer.code === 'second_factor_due') endSession('due');
    throw error;
  }
  if (method !== 'GET') return (await readAnswer(response)) as Answer<N>;
  const list = knownList(address, response);
  if (list !== undefined) {
    void response.body?.cancel();
    return list as Answer<N>;
  }
  const answer = await readAnswer(response);
  rememberList(address, response, answer);
  return answer as Answer<N>;
};
