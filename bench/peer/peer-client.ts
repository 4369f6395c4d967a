import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';

export interface PeerAccess {
  /** Address of the console without a slash at its end. */
  readonly address: string;
  readonly login: string;
  readonly password: string;
}

interface Answered {
  readonly id: number;
}

/** A line of a log and when it arrived, in milliseconds since 1970. */
type OnLine = (text: string, at: number) => void;

interface Message {
  readonly type: string;
  readonly task_id: number;
  readonly output?: string;
  readonly status?: string;
}

const FINAL: readonly string[] = ['success', 'error', 'stopped'];
const POLL_MS = 100;
const LIMIT_MS = 600_000;

/** A client of the API that Semaphore UI and Signalbox have in common: its calls, and its live socket without any message of the client. */
export class PeerClient {
  readonly address: string;
  readonly cookie: string;
  readonly #lines = new Map<number, OnLine>();
  readonly #ends = new Map<number, PromiseWithResolvers<string>>();
  #socket: WebSocket | undefined;
  #isClosed = false;
  /** How often the live socket was lost. */
  lost = 0;

  private constructor(address: string, cookie: string) {
    this.address = address;
    this.cookie = cookie;
  }

  static async signIn({ address, login, password }: PeerAccess): Promise<PeerClient> {
    const answer = await fetch(`${address}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address },
      body: JSON.stringify({ auth: login, password }),
    });
    if (!answer.ok) throw new Error(`${address} refused the login with ${answer.status}.`);
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    const client = new PeerClient(address, cookies.join('; '));
    await client.#connect();
    return client;
  }

  async #connect(): Promise<void> {
    const socket = new WebSocket(`${this.address.replace(/^http/, 'ws')}/api/ws`, {
      headers: { cookie: this.cookie },
      origin: this.address,
    });
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const at = Date.now();
      // The peer sends several messages as lines of one frame.
      for (const text of data.toString().split('\n')) if (text !== '') this.#receive(JSON.parse(text) as Message, at);
    });
    await Promise.race([once(socket, 'open'), once(socket, 'close')]);
    socket.on('close', () => {
      if (this.#isClosed) return;
      this.lost += 1;
      void this.#connect();
    });
  }

  #receive({ type, task_id, output, status }: Message, at: number): void {
    if (type === 'log') for (const text of (output ?? '').split('\n')) this.#lines.get(task_id)?.(text, at);
    if (type === 'update' && status !== undefined && FINAL.includes(status)) this.#endOf(task_id).resolve(status);
  }

  #endOf(task: number): PromiseWithResolvers<string> {
    const end = this.#ends.get(task) ?? Promise.withResolvers<string>();
    this.#ends.set(task, end);
    return end;
  }

  onLine(task: number, onLine: OnLine): void {
    this.#lines.set(task, onLine);
  }

  async get<T>(path: string): Promise<T> {
    const answer = await fetch(`${this.address}/api/${path}`, { headers: { cookie: this.cookie } });
    if (!answer.ok) throw new Error(`GET ${path} was answered with ${answer.status}.`);
    return (await answer.json()) as T;
  }

  /** Creates an object. @returns its id */
  async create(path: string, body: object): Promise<number> {
    const answer = await fetch(`${this.address}/api/${path}`, {
      method: 'POST',
      headers: { cookie: this.cookie, origin: this.address, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`POST ${path} was answered with ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as Answered).id;
  }

  /** Waits until the live socket or a call reports that a task has ended. @throws unless it was successful */
  async success(project: number, task: number): Promise<void> {
    const waits = new AbortController();
    const { promise } = this.#endOf(task);
    const status = await Promise.race([promise, this.#poll(project, task, waits.signal)]);
    waits.abort();
    if (status !== 'success') throw new Error(`Task ${task} ended with ${status}.`);
  }

  async #poll(project: number, task: number, signal: AbortSignal): Promise<string> {
    const until = performance.now() + LIMIT_MS;
    while (!signal.aborted && performance.now() < until) {
      await delay(POLL_MS);
      const { status } = await this.get<{ readonly status: string }>(`project/${project}/tasks/${task}`);
      if (FINAL.includes(status)) return status;
    }
    throw new Error(`Task ${task} has not ended in ${LIMIT_MS} ms.`);
  }

  /** The stored log, without colours. */
  async log(project: number, task: number): Promise<string[]> {
    const records = await this.get<readonly { readonly output: string }[]>(`project/${project}/tasks/${task}/output`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with this character
    return records.flatMap(({ output }) => output.replaceAll(/\u001b\[[\d;]*m/g, '').split('\n'));
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }
}
