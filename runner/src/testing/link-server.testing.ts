import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ResultRecord } from '@signalbox/contract';
import { type JobSpec, LINK_PROTOCOL, RunnerMessage, ServerMessage } from '@signalbox/contract/link';
import { type WebSocket, WebSocketServer } from 'ws';

type MessageOf<T extends RunnerMessage['type']> = Extract<RunnerMessage, { type: T }>;

/** What the server has stored of one run. */
export interface StoredRun {
  job: JobSpec;
  lines: string[];
  times: number[];
  /** Numbers of the lines that the runner wrote itself. */
  own: number[];
  offset: number;
  records: ResultRecord[];
  started: number;
  ended: MessageOf<'ended'> | undefined;
  commit: MessageOf<'commit'> | undefined;
}

/**
 * A minimal server side of the link: a WebSocket server on a Unix socket that checks each message by its schema and
 * stores output by number.
 */
export class LinkServer {
  readonly socketPath: string;
  readonly runs = new Map<string, StoredRun>();
  readonly messages: RunnerMessage[] = [];
  /** Received messages that violate the protocol, with the reason. */
  readonly protocolErrors: string[] = [];
  readonly tokens: (string | undefined)[] = [];
  /** Automatic reactions of the server. Tests switch them off to examine the state before a reaction. */
  readonly reactions = { start: true, storeOutput: true, acknowledgeEnd: true, resume: true, sendJobKey: true };
  protocol = LINK_PROTOCOL;
  /** Whether new links are refused with 401, and how many were. */
  isRefusing = false;
  refusals = 0;
  #http = createServer();
  #sockets = new Set<WebSocket>();
  #waiting = new Set<() => void>();

  constructor(socketPath: string) {
    this.socketPath = socketPath;
  }

  async listen(): Promise<void> {
    this.#http = createServer();
    const verifyClient = (): boolean => {
      if (this.isRefusing) this.refusals += 1;
      return !this.isRefusing;
    };
    const server = new WebSocketServer({ server: this.#http, path: '/api/runner/link', verifyClient });
    server.on('connection', (socket, request) => {
      this.tokens.push(request.headers.authorization);
      this.#sockets.add(socket);
      socket.on('message', (data) => this.#receive(socket, data.toString()));
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
    });
    this.#http.listen(this.socketPath);
    await once(this.#http, 'listening');
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    this.#http.close();
    await once(this.#http, 'close');
  }

  /** Cuts all links; the runner may reconnect at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  send(message: ServerMessage): void {
    const text = JSON.stringify(ServerMessage.parse(message));
    for (const socket of this.#sockets) socket.send(text);
  }

  sendRaw(text: string): void {
    for (const socket of this.#sockets) socket.send(text);
  }

  sendJob(job: JobSpec): StoredRun {
    const key = `${job.task_id}-${job.epoch}`;
    const run = this.runs.get(key) ?? {
      job,
      lines: [],
      times: [],
      own: [],
      offset: 0,
      records: [],
      started: 0,
      ended: undefined,
      commit: undefined,
    };
    this.runs.set(key, run);
    this.send({ type: 'job', job, job_key: jobKeyOf(job) });
    return run;
  }

  /** Waits until a condition is true, which is checked after each message. */
  async until<T>(check: () => T | undefined | false, what: string, limitMs = 60_000): Promise<T> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const found = check();
      if (found) return found;
      const left = deadline - performance.now();
      if (left <= 0)
        throw new Error(`${what}: not within ${limitMs} ms; messages: ${this.messages.map((m) => m.type).join(' ')}`);
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, Math.min(left, 250));
        this.#waiting.add(wake);
      });
    }
  }

  message<T extends RunnerMessage['type']>(type: T, test: (message: MessageOf<T>) => boolean = () => true) {
    return this.until(
      () => this.messages.find((m): m is MessageOf<T> => m.type === type && test(m as MessageOf<T>)),
      `a message ${type}`,
    );
  }

  #receive(socket: WebSocket, text: string) {
    const parsed = RunnerMessage.safeParse(JSON.parse(text));
    if (!parsed.success) {
      this.protocolErrors.push(`${text.slice(0, 200)}: ${parsed.error.message}`);
      return;
    }
    this.messages.push(parsed.data);
    this.#answer(socket, parsed.data);
    for (const wake of [...this.#waiting]) wake();
  }

  #answer(socket: WebSocket, message: RunnerMessage) {
    const send = (answer: ServerMessage) => socket.send(JSON.stringify(ServerMessage.parse(answer)));
    if (message.type === 'hello') {
      send({ type: 'welcome', protocol: this.protocol, version: 'test' });
      for (const reported of message.runs) {
        const run = this.runs.get(`${reported.task_id}-${reported.epoch}`);
        if (!run || !this.reactions.resume) continue;
        const job_key = this.reactions.sendJobKey ? jobKeyOf(reported) : OTHER_KEY;
        send({ type: 'resume', task_id: reported.task_id, epoch: reported.epoch, ...position(run), job_key });
        if (reported.state === 'accepted' && this.reactions.start)
          send({ type: 'start', task_id: reported.task_id, epoch: reported.epoch });
      }
      return;
    }
    if (!('epoch' in message)) return;
    const run = this.runs.get(`${message.task_id}-${message.epoch}`);
    if (!run) return;
    const { task_id, epoch } = message;
    if (message.type === 'accepted' && this.reactions.start) send({ type: 'start', task_id, epoch });
    if (message.type === 'started') run.started += 1;
    if (message.type === 'commit') run.commit = message;
    if (message.type === 'output' && this.reactions.storeOutput) this.#store(run, message, send);
    if (message.type === 'results' && this.reactions.storeOutput) {
      if (message.first !== run.records.length + 1)
        this.protocolErrors.push(`results ${message.first} after ${run.records.length}`);
      run.records.push(...message.records);
      send({ type: 'results_stored', task_id, epoch, next_result: run.records.length + 1 });
    }
    if (message.type === 'ended') {
      run.ended = message;
      if (this.reactions.acknowledgeEnd) send({ type: 'acknowledged', task_id, epoch });
    }
  }

  #store(run: StoredRun, message: MessageOf<'output'>, send: (answer: ServerMessage) => void) {
    const { task_id, epoch } = message;
    if (message.first !== run.lines.length + 1)
      this.protocolErrors.push(`output ${message.first} after ${run.lines.length}`);
    if (message.lines.length !== message.times.length) this.protocolErrors.push('a line without a time');
    run.lines.push(...message.lines);
    run.times.push(...message.times);
    run.own.push(...(message.own ?? []));
    run.offset = message.offset;
    send({ type: 'output_stored', task_id, epoch, next_line: run.lines.length + 1, offset: run.offset });
  }
}

const keyOf = (text: string): string => createHash('sha256').update(text).digest('base64');
/** The key of one run under one lease. */
export const jobKeyOf = ({ task_id, epoch }: Pick<JobSpec, 'task_id' | 'epoch'>): string =>
  keyOf(`${task_id}-${epoch}`);
export const OTHER_KEY = keyOf('of something else');

const position = (run: StoredRun) => ({
  next_line: run.lines.length + 1,
  offset: run.offset,
  next_result: run.records.length + 1,
});
