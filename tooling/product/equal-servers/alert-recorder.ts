import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An alert as a receiver got it. */
export interface RecordedAlert {
  /** The project whose receiver got it. */
  readonly project: number;
  readonly task: number;
  /** The same in each attempt to send the message. */
  readonly id: string;
  /** When the task ended, in milliseconds since 1970. */
  readonly end: number;
}

/** A web server to whose address the receivers of projects post. */
export class AlertRecorder {
  readonly #server: Server;
  readonly alerts: RecordedAlert[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { id, project, task } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        this.alerts.push({ project: project.id, task: task.id, id, end: Date.parse(task.end) });
        response.writeHead(204).end();
      });
    });
  }

  static async start(): Promise<AlertRecorder> {
    const recorder = new AlertRecorder();
    await new Promise<void>((resolve) => recorder.#server.listen(0, '127.0.0.1', resolve));
    return recorder;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
