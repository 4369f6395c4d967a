import { MAX_FOLLOWED } from 'virtual:routes';
import type { FollowMessage, LiveMessage } from '@signalbox/contract';

/** Time before a lost connection is opened again, in milliseconds. */
export const RECONNECT_DELAY = 2000;

const TYPES: Readonly<Record<LiveMessage['type'], true>> = {
  update: true,
  progress: true,
  log: true,
  lines: true,
  results: true,
  behind: true,
  changed: true,
  installation: true,
  missed: true,
};

/** `connecting` until the first connection is open; `lost` after a close until the next one is open. */
export type LiveState = 'idle' | 'connecting' | 'open' | 'lost';

/** The part of a WebSocket that is used here. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send: (text: string) => void;
  close: () => void;
}

export interface LiveSocketOptions {
  readonly open: () => SocketLike;
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

/** The message in a frame; undefined for messages that this page does not know, which a newer server may send. */
export const readMessage = (data: unknown): LiveMessage | undefined => {
  if (typeof data !== 'string') return undefined;
  try {
    const message: unknown = JSON.parse(data);
    if (typeof message !== 'object' || message === null || !('type' in message)) return undefined;
    return Object.hasOwn(TYPES, String(message.type)) ? (message as LiveMessage) : undefined;
  } catch {
    return undefined;
  }
};

/** The live connection of the page. It reconnects by itself and then sends the followed tasks again. */
export class LiveSocket {
  readonly #options: LiveSocketOptions;
  readonly #messages = new Set<(message: LiveMessage) => void>();
  readonly #states = new Set<() => void>();
  readonly #missed = new Set<() => void>();
  readonly #followed = new Map<number, number>();
  #socket: SocketLike | undefined;
  #cancel: (() => void) | undefined;
  #wasOpen = false;
  #state: LiveState = 'idle';

  constructor(options: LiveSocketOptions) {
    this.#options = options;
  }

  get state(): LiveState {
    return this.#state;
  }

  start(): void {
    if (this.#state !== 'idle') return;
    this.#set('connecting');
    this.#connect();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    this.#wasOpen = false;
    this.#set('idle');
    socket?.close();
  }

  onMessage(listener: (message: LiveMessage) => void): () => void {
    this.#messages.add(listener);
    return () => this.#messages.delete(listener);
  }

  onState = (listener: () => void): (() => void) => {
    this.#states.add(listener);
    return () => this.#states.delete(listener);
  };

  /** Calls the listener when messages may have been missed, such as after a reconnect. */
  onMissed(listener: () => void): () => void {
    this.#missed.add(listener);
    return () => this.#missed.delete(listener);
  }

  /** Notifies listeners that messages may have been missed and can be fetched now. */
  notifyMissed(): void {
    for (const listener of [...this.#missed]) listener();
  }

  /** Follows the lines and results of a task until the returned function is called. */
  follow(task: number): () => void {
    this.#followed.set(task, (this.#followed.get(task) ?? 0) + 1);
    if (this.#followed.get(task) === 1) this.#sendFollow();
    return () => {
      const count = (this.#followed.get(task) ?? 0) - 1;
      if (count > 0) {
        this.#followed.set(task, count);
        return;
      }
      if (this.#followed.delete(task)) this.#sendFollow();
    };
  }

  /** Closes the connection when the network is lost. A browser may report the loss only after minutes. */
  disconnect(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#lost();
    socket.close();
  }

  /** Connects at once instead of after the delay. */
  reconnect(): void {
    if (this.#state !== 'lost' || this.#socket) return;
    this.#cancel?.();
    this.#connect();
  }

  #connect(): void {
    const socket = this.#options.open();
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#set('open');
      // Sent even if nothing is followed: it turns off the line messages for older clients.
      this.#sendFollow();
      if (this.#wasOpen) this.notifyMissed();
      this.#wasOpen = true;
    };
    socket.onmessage = ({ data }) => {
      const message = readMessage(data);
      if (!message || this.#socket !== socket) return;
      if (message.type === 'missed') this.notifyMissed();
      for (const listener of [...this.#messages]) listener(message);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#lost();
    };
  }

  #lost(): void {
    this.#socket = undefined;
    this.#set('lost');
    this.#cancel = this.#options.later(RECONNECT_DELAY, () => this.#connect());
  }

  #sendFollow(): void {
    if (this.#state !== 'open') return;
    const tasks = [...this.#followed.keys()].slice(-MAX_FOLLOWED);
    this.#socket?.send(JSON.stringify({ type: 'follow', tasks } satisfies FollowMessage));
  }

  #set(state: LiveState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of [...this.#states]) listener();
  }
}
