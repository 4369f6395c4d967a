import type { ChoiceSource, SurveyChoice } from '@signalbox/contract';
import { ApiError } from '../../http/errors/api-error.ts';
import { type JsonPath, parseJsonPath, valueAt } from '../../json-path.ts';
import { addressPolicy } from '../../outgoing/address-policy.ts';
import { readStart, sendRequest } from '../../outgoing/http-request.ts';
import type { ChoiceConfig } from '../../settings/choice-settings.ts';

/** Time limit of a request, in milliseconds. */
const REQUEST_MS = 10_000;
const MAX_BYTES = 512 * 1024;
/** Most choices of one source, and most characters of one choice. */
const MAX_CHOICES = 5000;
const MAX_LENGTH = 1024;

/** Administrators have named the allowed addresses, so they may be in any network. */
const POLICY = addressPolicy(['loopback', 'linklocal', 'uniquelocal']);

/**
 * What the program at the address may read as a slash or as `..`, although this one does not: encoded slashes and dots,
 * text that is encoded twice, and parameters of a folder. `/api/..;/admin` would leave `/api/`.
 */
const AMBIGUOUS = /%2f|%5c|%2e|%25|%3b|;|\.\./i;

const isPlain = (path: string): boolean => {
  try {
    decodeURIComponent(path);
  } catch {
    return false;
  }
  return !AMBIGUOUS.test(path);
};

const isWithin = ({ origin, pathname }: URL, allowed: URL): boolean => {
  const folder = allowed.pathname.replace(/\/$/, '');
  const isBelow = pathname === folder || pathname.startsWith(`${folder}/`);
  return origin === allowed.origin && isBelow && isPlain(pathname);
};

/** Makes the check whether choices may be read from an address. */
export const addressCheck = (allowed: readonly string[]) => {
  const starts = allowed.map((one) => new URL(one));
  return (address: string): boolean => {
    const url = URL.parse(address);
    return url !== null && url.username === '' && url.password === '' && starts.some((start) => isWithin(url, start));
  };
};

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH ? value : undefined;
};

/** The value at a path within an entry. Without a path, the entry itself or its field of that name. */
const partOf = (entry: unknown, path: JsonPath | undefined, field: 'value' | 'name'): unknown => {
  if (path) return valueAt(entry, path);
  return typeof entry === 'object' ? valueAt(entry, [field]) : field === 'value' ? entry : undefined;
};

/**
 * The choices in a JSON text: the entries of the list at the path of the source, each value once. Entries without a value
 * are left out.
 * @returns undefined if there is no such list
 */
export const choicesIn = (json: string, { path, value_path, name_path }: ChoiceSource): SurveyChoice[] | undefined => {
  let list: unknown;
  try {
    list = valueAt(JSON.parse(json), parseJsonPath(path) ?? []);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const [valuePath, namePath] = [value_path, name_path].map((text) => (text === '' ? undefined : parseJsonPath(text)));
  const choices = new Map<string, SurveyChoice>();
  for (const entry of list.slice(0, MAX_CHOICES)) {
    const value = textOf(partOf(entry, valuePath, 'value'));
    if (value === undefined || choices.has(value)) continue;
    choices.set(value, { value, name: textOf(partOf(entry, namePath, 'name')) ?? '' });
  }
  return [...choices.values()];
};

/** A status or a code of Node, without the address. */
const detailOf = (error: unknown): string => {
  const { code, name, errors } = error as { code?: unknown; name?: unknown; errors?: readonly unknown[] };
  if (name === 'TimeoutError') return 'ETIMEDOUT';
  if (code === undefined && errors?.[0] !== undefined) return detailOf(errors[0]);
  return typeof code === 'string' ? code : 'EIO';
};

/**
 * An address that has no choices. It names no variable, because everyone who waits for the answer gets the same error, also
 * in another project.
 */
class UnreadError extends Error {
  /** Returns the error for a variable. */
  readonly errorFor: (title: string) => ApiError;

  constructor(errorFor: UnreadError['errorFor']) {
    super('The address has no choices.');
    this.errorFor = errorFor;
  }
}

/**
 * Makes an error of `readAddress` one about a variable.
 * @throws conflict, or the error itself if it is another one
 */
export const nameVariable = (error: unknown, title: string): never => {
  throw error instanceof UnreadError ? error.errorFor(title) : error;
};

/**
 * Reads choices from an address.
 * @throws UnreadError when the address is not allowed, cannot be read, or answers no list
 */
export const readAddress = async (
  { addresses, ca }: ChoiceConfig,
  source: ChoiceSource,
): Promise<readonly SurveyChoice[]> => {
  if (!addressCheck(addresses)(source.url))
    throw new UnreadError((title) => new ApiError('conflict.choice_address', { title }));
  const failed = (detail: string) =>
    new UnreadError((title) => new ApiError('conflict.choice_request', { title, detail }));
  const signal = AbortSignal.timeout(REQUEST_MS);
  const headers = { accept: 'application/json' };
  const answer = await sendRequest({ url: source.url, method: 'GET', headers, policy: POLICY, ca, signal }).catch(
    (error: unknown) => {
      throw failed(detailOf(error));
    },
  );
  const text = (await readStart(answer, MAX_BYTES)).toString('utf8');
  if (answer.statusCode !== 200) throw failed(String(answer.statusCode));
  const choices = choicesIn(text, source);
  if (!choices) throw new UnreadError((title) => new ApiError('conflict.choice_list', { title }));
  return choices;
};
