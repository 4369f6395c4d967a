import type {
  ChangedPart,
  EndReasonCode,
  InstallationPart,
  LineSource,
  LiveMessage,
  ResultRecord,
  TaskStatus,
} from '@signalbox/contract';
import { describedEndReason } from '../end-reason.ts';
import type { Line } from '../logs/block-codec.ts';
import { HeldMessages } from './held-messages.ts';
import { type Encoded, encode, type LiveSocket, type Subscriber } from './live-socket.ts';
import { TaskTemplates } from './task-templates.ts';

export interface ChangedTask {
  readonly id: number;
  readonly project_id: number;
  readonly template_id: number;
  readonly status: TaskStatus;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly version: string | null;
  readonly end_reason: EndReasonCode | null;
  readonly end_params: string | null;
}

/** The stored log of a task. */
interface StoredLog {
  readonly projectId: number;
  readonly templateId: number;
  readonly total: number;
}

export interface LiveHubDeps {
  /** Reads what these sessions may receive; ended sessions are missing in the result. */
  readonly readSubscribers: (tokens: readonly string[]) => Promise<ReadonlyMap<string, Subscriber>>;
  readonly totalLines: (taskId: number) => Promise<StoredLog | undefined>;
  /** Called when the clients may follow other tasks. */
  readonly onWatched: () => void;
  readonly onError: (error: unknown) => void;
}

/** Open sockets lose a revoked right within this time, in milliseconds. */
const RECHECK_MS = 900;
const CATCH_UP_MS = 100;
/** A client that has sent no list of tasks for this many milliseconds uses the plain protocol. Pages send it at once. */
const PLAIN_MS = 1_000;
/** With more tasks than this, other servers send the lines of all. */
const MAX_WATCHED = 500;
const POLICY_VIOLATION = 1008;
const GOING_AWAY = 1001;

/** Sends changes to open sockets. Each message is encoded once for all of them. */
export class LiveHub {
  readonly #deps: LiveHubDeps;
  readonly #sockets = new Set<LiveSocket>();
  #recheck: NodeJS.Timeout | undefined;
  #catchUp: NodeJS.Timeout | undefined;
  readonly #messages = new HeldMessages();
  readonly #templates = new TaskTemplates();
  /** Whether the length of a log could not be read. */
  #isTotalUnknown = false;

  constructor(deps: LiveHubDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** Number of open sockets of a user. */
  countOf(userId: number): number {
    let count = 0;
    for (const socket of this.#sockets) if (socket.subscriber.userId === userId) count += 1;
    return count;
  }

  /** @param known the value of `rights` before those of the socket were read */
  add(socket: LiveSocket, known: number): void {
    this.#sockets.add(socket);
    if (known !== this.rights) void this.rightsChanged();
    this.#recheck ??= setInterval(() => void this.refresh(), RECHECK_MS);
    this.#catchUp ??= setInterval(() => void this.#sendCaughtUp(), CATCH_UP_MS);
    // If it is one of the plain protocol.
    setTimeout(() => this.#deps.onWatched(), PLAIN_MS).unref();
  }

  remove(socket: LiveSocket): void {
    this.#sockets.delete(socket);
    this.#deps.onWatched();
    if (this.#sockets.size > 0) return;
    this.#messages.clear();
    clearInterval(this.#recheck);
    clearInterval(this.#catchUp);
    this.#recheck = undefined;
    this.#catchUp = undefined;
  }

  /** Called when a client chooses other tasks. */
  followed(): void {
    this.#deps.onWatched();
  }

  /** The tasks whose lines clients want; all of them for clients of the plain protocol. */
  watched(): { readonly all: boolean; readonly tasks: number[] } {
    const tasks = new Set<number>();
    for (const socket of this.#sockets) {
      if (socket.wantsRecords && performance.now() - socket.since >= PLAIN_MS) return { all: true, tasks: [] };
      for (const id of socket.followed) tasks.add(id);
    }
    return tasks.size > MAX_WATCHED ? { all: true, tasks: [] } : { all: false, tasks: [...tasks] };
  }

  /** Lets the clients that follow a task get the length of its log soon, so that they request what they miss. */
  catchUp(taskId: number): void {
    for (const socket of this.#sockets) if (socket.follows(taskId)) socket.staysBehind(taskId);
  }

  /** Notifies the clients that they may have missed messages. */
  eventsMissed(): void {
    const message = encode({ type: 'missed' });
    for (const socket of this.#sockets)
      if (socket.wantsRecords) socket.close(POLICY_VIOLATION, 'Lines may be missing. Read the log with the API.');
      else socket.send(message);
  }

  /** What a new socket of this session may receive, so that it misses no message. */
  async subscriberOf(token: string): Promise<Subscriber | undefined> {
    return (await this.#deps.readSubscribers([token])).get(token);
  }

  #whenRightsAreKnown(send: () => void): void {
    if (this.#sockets.size === 0) send();
    else this.#messages.send(send);
  }

  /** Changes with the rights of users. A socket whose rights were read before reads them again. */
  get rights(): number {
    return this.#messages.needed;
  }

  /** Called when users may have lost or gained rights: messages wait until these are read. */
  rightsChanged(): Promise<void> {
    this.#messages.rightsChanged();
    return this.refresh();
  }

  /** Reads the rights again. Closes sockets whose session has ended. */
  async refresh(): Promise<void> {
    const sockets = [...this.#sockets];
    const read = this.#messages.readStarts();
    let readSubscribers: ReadonlyMap<string, Subscriber>;
    try {
      readSubscribers = await this.#deps.readSubscribers([...new Set(sockets.map((socket) => socket.token))]);
    } catch (error) {
      // An unavailable database is no reason to end sessions.
      this.#deps.onError(error);
      return;
    }
    this.#messages.readEnds(read, () => {
      for (const socket of sockets) {
        const subscriber = readSubscribers.get(socket.token);
        if (subscriber) this.#resubscribe(socket, subscriber);
        else socket.close(POLICY_VIOLATION, 'The session has ended.');
      }
    });
  }

  /**
   * A user who leaves or joins a project gets one message about that. It is the last or the first message about the
   * project.
   */
  #resubscribe(socket: LiveSocket, subscriber: Subscriber): void {
    const before = socket.subscriber.projects;
    socket.subscriber = subscriber;
    if (socket.wantsRecords) return;
    const lost = [...before].filter((id) => !subscriber.projects.has(id));
    // Admins receive new projects as changes of the installation.
    const won = subscriber.isAdmin ? [] : [...subscriber.projects].filter((id) => !before.has(id));
    for (const project_id of [...lost, ...won]) {
      for (const part of ['project', 'users'] as const) socket.send(encode({ type: 'changed', project_id, part }));
    }
  }

  tasksChanged(tasks: readonly ChangedTask[]): void {
    this.#whenRightsAreKnown(() => this.#sendTasks(tasks));
  }

  #sendTasks(tasks: readonly ChangedTask[]): void {
    for (const task of tasks) {
      this.#templates.learn(task);
      const message = encode({
        type: 'update',
        project_id: task.project_id,
        task_id: task.id,
        template_id: task.template_id,
        status: task.status,
        start: task.start_time,
        end: task.end_time,
        version: task.version,
        end_reason: describedEndReason(task),
      });
      for (const socket of this.#sockets)
        if (socket.receives(task.project_id) && socket.sees(task.template_id)) socket.send(message);
    }
  }

  /** Called when a running task is expected to end at another time. Clients of the plain protocol get no message. */
  expectationChanged(changed: Extract<LiveMessage, { type: 'progress' }>): void {
    this.#whenRightsAreKnown(() => this.#sendExpectation(changed));
  }

  #sendExpectation(changed: Extract<LiveMessage, { type: 'progress' }>): void {
    const message = encode(changed);
    for (const socket of this.#sockets)
      if (!socket.wantsRecords && socket.receives(changed.project_id) && socket.sees(changed.template_id))
        socket.send(message);
  }

  /** Called when a part of a project has changed. Clients that only know tasks and logs get no message. */
  partChanged(projectId: number, part: ChangedPart): void {
    const message = encode({ type: 'changed', project_id: projectId, part });
    for (const socket of this.#sockets) if (socket.receives(projectId) && !socket.wantsRecords) socket.send(message);
  }

  /** Called when a part of the installation has changed. Only admins get a message. */
  installationChanged(part: InstallationPart): void {
    const message = encode({ type: 'installation', part });
    for (const socket of this.#sockets) if (socket.isAdmin && !socket.wantsRecords) socket.send(message);
  }

  linesStored(projectId: number, taskId: number, first: number, lines: readonly Line[]): void {
    this.#whenRightsAreKnown(() => this.#sendLines(projectId, taskId, first, lines));
  }

  #sendLines(projectId: number, taskId: number, first: number, lines: readonly Line[]): void {
    let batch: Encoded | undefined;
    let records: Encoded[] | undefined;
    for (const socket of this.#sockets) {
      if (!socket.receives(projectId) || !this.#maySee(socket, taskId)) continue;
      if (socket.follows(taskId)) {
        batch ??= encode({
          type: 'lines',
          project_id: projectId,
          task_id: taskId,
          first,
          lines: lines as [number, string, LineSource?][],
        });
        socket.sendLines(taskId, batch);
      } else if (socket.wantsRecords) {
        records ??= lines.map(([time, output, source]) =>
          encode({
            type: 'log',
            project_id: projectId,
            task_id: taskId,
            time: new Date(time).toISOString(),
            output,
            source: source ?? 'output',
          }),
        );
        // The plain protocol cannot catch up, so a client that reads too slowly is closed and must read the log
        // again.
        if (socket.slow) socket.close(POLICY_VIOLATION, 'The client reads too slowly. Read the log with the API.');
        else for (const record of records) socket.send(record);
      }
    }
  }

  /**
   * Whether a client may see a task. One who must not see every template gets nothing of a task whose template is not
   * known yet, but the length of the log later.
   */
  #maySee(socket: LiveSocket, taskId: number): boolean {
    if (!socket.isRestricted) return true;
    const templateId = this.#templates.of(taskId);
    if (templateId === undefined && socket.follows(taskId)) socket.staysBehind(taskId);
    return templateId !== undefined && socket.sees(templateId);
  }

  resultsStored(projectId: number, taskId: number, first: number, records: readonly unknown[]): void {
    this.#whenRightsAreKnown(() => this.#sendResults(projectId, taskId, first, records));
  }

  #sendResults(projectId: number, taskId: number, first: number, records: readonly unknown[]): void {
    let message: Encoded | undefined;
    for (const socket of this.#sockets) {
      if (!socket.receives(projectId) || !socket.follows(taskId) || !this.#maySee(socket, taskId)) continue;
      message ??= encode({
        type: 'results',
        project_id: projectId,
        task_id: taskId,
        first,
        records: records as ResultRecord[],
      });
      socket.sendLines(taskId, message);
    }
  }

  async #sendCaughtUp(): Promise<void> {
    for (const socket of this.#sockets)
      for (const taskId of socket.takeCaughtUp())
        await this.#sendTotal(socket, taskId).catch((error: unknown) => {
          socket.staysBehind(taskId);
          // Retried at once, and reported once.
          if (!this.#isTotalUnknown) this.#deps.onError(error);
          this.#isTotalUnknown = true;
        });
  }

  async #sendTotal(socket: LiveSocket, taskId: number): Promise<void> {
    const stored = await this.#deps.totalLines(taskId);
    this.#isTotalUnknown = false;
    if (!stored || !socket.follows(taskId)) return;
    this.#templates.learn({ id: taskId, template_id: stored.templateId, status: 'running' });
    this.#whenRightsAreKnown(() => {
      if (!socket.receives(stored.projectId) || !socket.sees(stored.templateId)) return;
      socket.send(encode({ type: 'behind', project_id: stored.projectId, task_id: taskId, total: stored.total }));
    });
  }

  close(): void {
    for (const socket of this.#sockets) {
      socket.close(GOING_AWAY, 'The server is stopping.');
      this.remove(socket);
    }
  }
}
