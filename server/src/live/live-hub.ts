import type {
  ChangedPart,
  EndReasonCode,
  InstallationPart,
  LineSource,
  ResultRecord,
  TaskStatus,
} from '@signalbox/contract';
import { toldEndReason } from '../end-reason.ts';
import type { Line } from '../logs/block-codec.ts';
import { type Encoded, encode, type Hearing, type LiveSocket } from './live-socket.ts';

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

export interface LiveHubNeeds {
  /** What each of these sessions may hear; sessions that have ended are missing in the answer. */
  readonly hearings: (tokens: readonly string[]) => Promise<ReadonlyMap<string, Hearing>>;
  readonly totalLines: (taskId: number) => Promise<{ readonly projectId: number; readonly total: number } | undefined>;
  readonly onError: (error: unknown) => void;
}

/** A right that was taken away is gone from every open socket within this time, in milliseconds. */
const RECHECK_MS = 900;
const CATCH_UP_MS = 100;
const POLICY_VIOLATION = 1008;
const GOING_AWAY = 1001;

/** Tells the sockets what changed. Each message is encoded once, however many listen. */
export class LiveHub {
  readonly #needs: LiveHubNeeds;
  readonly #sockets = new Set<LiveSocket>();
  #recheck: NodeJS.Timeout | undefined;
  #catchUp: NodeJS.Timeout | undefined;
  /** How often it was asked who may hear what, and which of these answers is in force. */
  #asked = 0;
  #answered = 0;
  /** The database could not be asked how far a log has come. */
  #isTotalUnknown = false;

  constructor(needs: LiveHubNeeds) {
    this.#needs = needs;
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** Number of open sockets of a user. */
  countOf(userId: number): number {
    let count = 0;
    for (const socket of this.#sockets) if (socket.hearing.userId === userId) count += 1;
    return count;
  }

  add(socket: LiveSocket): void {
    this.#sockets.add(socket);
    this.#recheck ??= setInterval(() => void this.refresh(), RECHECK_MS);
    this.#catchUp ??= setInterval(() => void this.#tellCaughtUp(), CATCH_UP_MS);
  }

  remove(socket: LiveSocket): void {
    this.#sockets.delete(socket);
    if (this.#sockets.size > 0) return;
    clearInterval(this.#recheck);
    clearInterval(this.#catchUp);
    this.#recheck = undefined;
    this.#catchUp = undefined;
  }

  /** What a new socket of this session may hear, so that it misses nothing from its first moment on. */
  async hearingOf(token: string): Promise<Hearing | undefined> {
    return (await this.#needs.hearings([token])).get(token);
  }

  /** Asks anew who may hear what; sockets whose session has ended are closed. */
  async refresh(): Promise<void> {
    const sockets = [...this.#sockets];
    this.#asked += 1;
    const turn = this.#asked;
    let hearings: ReadonlyMap<string, Hearing>;
    try {
      hearings = await this.#needs.hearings([...new Set(sockets.map((socket) => socket.token))]);
    } catch (error) {
      // Not knowing is no reason to end sessions: a database that is away comes back.
      this.#needs.onError(error);
      return;
    }
    // An answer that was overtaken is older than what is known.
    if (turn < this.#answered) return;
    this.#answered = turn;
    for (const socket of sockets) {
      const hearing = hearings.get(socket.token);
      if (hearing) this.#hearAnew(socket, hearing);
      else socket.close(POLICY_VIOLATION, 'The session has ended.');
    }
  }

  /** Whoever is out of a project hears no more of it: that it is so is the last thing that they are told, or the first. */
  #hearAnew(socket: LiveSocket, hearing: Hearing): void {
    const before = socket.hearing.projects;
    socket.hearing = hearing;
    if (socket.wantsRecords) return;
    const lost = [...before].filter((id) => !hearing.projects.has(id));
    // Administrators are told of new projects with everything else of the installation.
    const won = hearing.isAdmin ? [] : [...hearing.projects].filter((id) => !before.has(id));
    for (const project_id of [...lost, ...won]) {
      for (const part of ['project', 'users'] as const) socket.send(encode({ type: 'changed', project_id, part }));
    }
  }

  tasksChanged(tasks: readonly ChangedTask[]): void {
    for (const task of tasks) {
      const message = encode({
        type: 'update',
        project_id: task.project_id,
        task_id: task.id,
        template_id: task.template_id,
        status: task.status,
        start: task.start_time,
        end: task.end_time,
        version: task.version,
        end_reason: toldEndReason(task),
      });
      for (const socket of this.#sockets) if (socket.hears(task.project_id)) socket.send(message);
    }
  }

  /** Somebody changed a part of a project; whoever only knows tasks and logs is not told. */
  partChanged(projectId: number, part: ChangedPart): void {
    const message = encode({ type: 'changed', project_id: projectId, part });
    for (const socket of this.#sockets) if (socket.hears(projectId) && !socket.wantsRecords) socket.send(message);
  }

  /** Somebody changed a part of the installation: administrators alone may see it. */
  installationChanged(part: InstallationPart): void {
    const message = encode({ type: 'installation', part });
    for (const socket of this.#sockets) if (socket.isAdmin && !socket.wantsRecords) socket.send(message);
  }

  linesStored(projectId: number, taskId: number, first: number, lines: readonly Line[]): void {
    let batch: Encoded | undefined;
    let records: Encoded[] | undefined;
    for (const socket of this.#sockets) {
      if (!socket.hears(projectId)) continue;
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
        // The plain form has no way to catch up: a client that reads too slowly is let go, and asks for the log itself.
        if (socket.slow) socket.close(POLICY_VIOLATION, 'Reads too slowly; ask for the log by the API.');
        else for (const record of records) socket.send(record);
      }
    }
  }

  resultsStored(projectId: number, taskId: number, first: number, records: readonly unknown[]): void {
    let message: Encoded | undefined;
    for (const socket of this.#sockets) {
      if (!socket.hears(projectId) || !socket.follows(taskId)) continue;
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

  async #tellCaughtUp(): Promise<void> {
    for (const socket of this.#sockets)
      for (const taskId of socket.takeCaughtUp())
        await this.#tellTotal(socket, taskId).catch((error: unknown) => {
          socket.staysBehind(taskId);
          // It is tried again at once, and said once.
          if (!this.#isTotalUnknown) this.#needs.onError(error);
          this.#isTotalUnknown = true;
        });
  }

  async #tellTotal(socket: LiveSocket, taskId: number): Promise<void> {
    const stored = await this.#needs.totalLines(taskId);
    this.#isTotalUnknown = false;
    if (!stored || !socket.hears(stored.projectId) || !socket.follows(taskId)) return;
    socket.send(encode({ type: 'behind', project_id: stored.projectId, task_id: taskId, total: stored.total }));
  }

  close(): void {
    for (const socket of this.#sockets) {
      socket.close(GOING_AWAY, 'The server stops.');
      this.remove(socket);
    }
  }
}
