import type { FollowMessage } from '@signalbox/contract';

interface Answer {
  /** Method and path of the call, then its status. */
  readonly call: string;
  readonly status: number;
  /** Headers and body. */
  readonly text: string;
}

/** Records every answer of the API to its `fetch`, and every message of its sockets. */
export class Recorder {
  readonly answers: Answer[] = [];
  readonly messages: string[] = [];
  readonly #sockets: WebSocket[] = [];

  readonly fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const text = await response.clone().text();
    // The cookie of a new session is the only header that contains a secret on purpose.
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie').join('\n');
    const call = `${init?.method ?? 'GET'} ${new URL(String(input)).pathname.replace(/^\/api/, '')}`;
    this.answers.push({ call, status: response.status, text: `${headers}\n${text}` });
    return response;
  };

  /** Opens a live socket with an API token. */
  async listen(address: string, token: string): Promise<{ follow(tasks: readonly number[]): void }> {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/api/ws`, {
      headers: { authorization: `Bearer ${token}` },
    } as unknown as string[]);
    socket.addEventListener('message', ({ data }) => void this.messages.push(String(data)));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('The live socket could not be opened.')));
    await promise;
    this.#sockets.push(socket);
    return {
      follow: (tasks) => {
        const message: FollowMessage = { type: 'follow', tasks: [...tasks] };
        socket.send(JSON.stringify(message));
      },
    };
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }
}
