/** Length from which a list is worth remembering. */
const LONG_LIST = 50;

interface KnownAnswer {
  readonly etag: string;
  readonly list: WeakRef<object>;
}

const known = new Map<string, KnownAnswer>();

/**
 * The list that an earlier call to the address got, if the answer has the same ETag. The answer then need not be read
 * and compared, which takes long for a list of hundreds of objects. Undefined if the list is unknown or no longer used.
 */
export const knownList = (address: string, response: Response): unknown => {
  const found = known.get(address);
  return found && found.etag === response.headers.get('etag') ? found.list.deref() : undefined;
};

/** Remembers a long list, as long as the page uses it. An object is not remembered: its ETag may leave out fields. */
export const rememberList = (address: string, response: Response, answer: unknown): void => {
  const etag = response.headers.get('etag');
  if (etag !== null && Array.isArray(answer) && answer.length >= LONG_LIST)
    known.set(address, { etag, list: new WeakRef(answer) });
  else known.delete(address);
};
