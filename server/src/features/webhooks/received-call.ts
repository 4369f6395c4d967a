import { jsonTextDepth, MAX_JSON_DEPTH } from '@signalbox/contract';

/** Headers by their names in lower case. */
export type CallHeaders = Readonly<Record<string, string>>;

/** A call of a webhook as it was received. */
export interface ReceivedCall {
  readonly headers: CallHeaders;
  readonly body: Buffer;
}

/** The parts of a call that conditions see. */
export interface ReadCall {
  readonly headers: CallHeaders;
  /** The parsed body; undefined for an empty one. */
  readonly json: unknown;
}

/** The JSON text of a body. GitHub and others can send it as the field `payload` of a form. */
export const jsonText = ({ headers, body }: ReceivedCall): string => {
  const text = body.toString('utf8');
  const isForm = headers['content-type']?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  return isForm ? (new URLSearchParams(text).get('payload') ?? text) : text;
};

/** Parses the body of a call; undefined if it is neither empty nor JSON of the usual depth. */
export const readCall = (call: ReceivedCall): ReadCall | undefined => {
  const text = jsonText(call);
  if (text.trim() === '') return { headers: call.headers, json: undefined };
  if (jsonTextDepth(text) > MAX_JSON_DEPTH) return undefined;
  try {
    return { headers: call.headers, json: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

const EVENT_HEADERS = ['x-github-event', 'x-gitlab-event', 'x-forgejo-event', 'x-gitea-event', 'x-event-key'];

/** The event that the sender names, at most 100 characters. */
export const eventOf = (headers: CallHeaders): string => {
  const name = EVENT_HEADERS.find((header) => headers[header] !== undefined);
  return name === undefined ? '' : (headers[name] ?? '').slice(0, 100);
};

const SECRET_NAMES = ['authorization', 'cookie', 'token', 'secret', 'signature', 'password', 'api-key'];

/** The headers that may be stored. */
export const withoutSecrets = (headers: CallHeaders, signatureHeader: string): CallHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => name !== signatureHeader.toLowerCase() && !SECRET_NAMES.some((part) => name.includes(part)),
    ),
  );
