import type { AnswerOf, BodyInput, QueryInput, RouteName, RouteShape, RouteTable } from '@signalbox/contract';
import { ROUTE_TABLE } from '@signalbox/contract';

interface Inputs<R extends RouteShape> {
  readonly params?: Record<string, number>;
  readonly query?: QueryInput<R>;
  readonly body?: BodyInput<R>;
}

/** A call that the server refused. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly status: number;

  constructor(call: string, status: number, text: string) {
    super(`${call} answered ${status}: ${text.slice(0, 500)}`);
    this.status = status;
  }
}

/** Makes the calls of the contract over real HTTP, as a program of a user would. */
export class ApiClient {
  readonly address: string;
  cookie = '';
  readonly #fetch: typeof fetch;

  /** @param send sends the requests; a test can pass one that records every answer */
  constructor(address: string, send: typeof fetch = fetch) {
    this.address = address;
    this.#fetch = send;
  }

  /** @throws CallRefused for every status but the one that the contract names */
  async call<N extends RouteName>(name: N, inputs: Inputs<RouteTable[N]> = {}): Promise<AnswerOf<RouteTable[N]>> {
    const route: RouteShape = ROUTE_TABLE[name];
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(inputs.params?.[param]));
    const query = new URLSearchParams(
      Object.entries(inputs.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const response = await this.#fetch(`${this.address}/api${path}?${query}`, {
      method: route.method,
      headers: { cookie: this.cookie, ...(inputs.body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(inputs.body === undefined ? {} : { body: JSON.stringify(inputs.body) }),
    });
    const text = await response.text();
    if (response.status !== route.status) throw new CallRefused(name, response.status, text);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    if (cookies.length > 0) this.cookie = cookies.join('; ');
    return (
      text !== '' && response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text
    ) as AnswerOf<RouteTable[N]>;
  }

  async signIn(auth: string, password: string): Promise<void> {
    await this.call('signIn', { body: { auth, password } });
  }
}
