import type {
  AnswerOf,
  BodyInput,
  ErrorAnswer,
  QueryInput,
  RouteName,
  RouteShape,
  RouteTable,
} from '@signalbox/contract';
import { ROUTE_TABLE } from '@signalbox/contract';
import { StartError } from '../start-error.ts';

interface Inputs<R extends RouteShape> {
  readonly params?: Readonly<Record<string, number>>;
  readonly query?: QueryInput<R>;
  readonly body?: BodyInput<R>;
}

/** The server cannot be reached or asks for a retry. */
export class ServerAway extends Error {
  override readonly name = 'ServerAway';
}

const messageOf = (text: string): string => {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorAnswer>;
    return typeof error === 'string' ? error : '';
  } catch {
    return '';
  }
};

/** Calls the API of a running server with an API token. */
export class ApiCaller {
  readonly #address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.#address = address.replace(/\/+$/, '');
    this.#token = token;
  }

  /**
   * @throws ServerAway when the server does not answer or asks for a retry, StartError with its message when it
   *   refuses
   */
  async call<N extends RouteName>(name: N, inputs: Inputs<RouteTable[N]> = {}): Promise<AnswerOf<RouteTable[N]>> {
    const route: RouteShape = ROUTE_TABLE[name];
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(inputs.params?.[param]));
    const query = new URLSearchParams(
      Object.entries(inputs.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const response = await fetch(`${this.#address}/api${path}?${query}`, {
      method: route.method,
      redirect: 'error',
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(inputs.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(inputs.body === undefined ? {} : { body: JSON.stringify(inputs.body) }),
    }).catch((error: Error) => {
      const { cause } = error as { cause?: { code?: string } };
      throw new ServerAway(`${this.#address} cannot be reached (${cause?.code ?? error.message}).`);
    });
    const text = await response.text().catch(() => {
      throw new ServerAway(`${this.#address} closed the connection before the end of its answer.`);
    });
    if (response.status === 502 || response.status === 503 || response.status === 504)
      throw new ServerAway(messageOf(text) || `${this.#address} answered ${response.status}.`);
    if (response.status === 401) throw new StartError('The server does not accept this API token.');
    if (response.status !== route.status)
      throw new StartError(
        messageOf(text) || `${this.#address} answered ${response.status}: is it a Signalbox server?`,
      );
    if (text === '') return undefined as AnswerOf<RouteTable[N]>;
    try {
      return JSON.parse(text) as AnswerOf<RouteTable[N]>;
    } catch {
      throw new StartError(`${this.#address} is not a Signalbox server.`);
    }
  }
}
