import { describe, expect, it } from 'vitest';
import { testSocket } from '../testing/show.tsx';
import { RECONNECT_DELAY, readMessage } from './live-socket.ts';

const update = {
  type: 'update',
  project_id: 1,
  task_id: 2,
  template_id: 3,
  status: 'running',
  start: null,
  end: null,
  version: null,
};

describe('parsing a live message', () => {
  it('accepts only messages of the contract', () => {
    const types = ['update', 'progress', 'log', 'lines', 'results', 'behind', 'changed', 'installation', 'missed'];
    for (const type of types) expect(readMessage(JSON.stringify({ ...update, type }))).toEqual({ ...update, type });
  });

  it.each([['not json'], ['null'], ['5'], ['{}'], ['{"type":"later"}'], [new ArrayBuffer(1)]])(
    'passes over %j',
    (data) => {
      expect(readMessage(data)).toBeUndefined();
    },
  );
});

describe('the live connection', () => {
  it('opens once, reports its state, and passes messages to every listener', () => {
    const live = testSocket();
    const received: unknown[] = [];
    const states: string[] = [];
    live.socket.onState(() => states.push(live.socket.state));
    const leave = live.socket.onMessage((message) => received.push(message));
    live.socket.start();
    live.socket.start();
    live.accept();
    live.send(update);
    leave();
    live.send(update);
    expect(live.opened()).toBe(1);
    expect(states).toEqual(['connecting', 'open']);
    expect(received).toEqual([update]);
  });

  it('reconnects after it was lost, and reports missed messages', () => {
    const live = testSocket();
    let missed = 0;
    live.socket.onMissed(() => {
      missed += 1;
    });
    live.socket.start();
    live.accept();
    expect(missed).toBe(0);
    live.drop();
    expect(live.socket.state).toBe('lost');
    expect(live.opened()).toBe(1);
    live.passTime();
    expect(live.opened()).toBe(2);
    live.accept();
    expect(live.socket.state).toBe('open');
    expect(missed).toBe(1);
  });

  it('is lost at once without a network, and opens at once when it is back', () => {
    const live = testSocket();
    live.socket.start();
    live.accept();
    live.socket.disconnect();
    expect(live.socket.state).toBe('lost');
    live.socket.reconnect();
    live.socket.reconnect();
    expect(live.opened()).toBe(2);
    live.accept();
    expect(live.socket.state).toBe('open');
  });

  it('tries again every two seconds while it is needed', () => {
    expect(RECONNECT_DELAY).toBe(2000);
    const live = testSocket();
    live.socket.start();
    for (let round = 0; round < 3; round += 1) {
      live.drop();
      live.passTime();
    }
    expect(live.opened()).toBe(4);
  });

  it('does not reconnect after it was stopped', () => {
    const live = testSocket();
    live.socket.start();
    live.accept();
    live.drop();
    live.socket.stop();
    live.passTime();
    expect(live.opened()).toBe(1);
    expect(live.socket.state).toBe('idle');
  });

  it('ignores messages of a connection that it has closed', () => {
    const live = testSocket();
    const received: unknown[] = [];
    live.socket.onMessage((message) => received.push(message));
    live.socket.start();
    live.accept();
    live.socket.stop();
    live.send(update);
    live.drop();
    expect(received).toEqual([]);
    expect(live.socket.state).toBe('idle');
    expect(live.waiting).toEqual([]);
  });

  it('sends the followed tasks immediately and after each reconnect', () => {
    const live = testSocket();
    const leave = live.socket.follow(5);
    live.socket.start();
    live.accept();
    expect(live.sent).toEqual([{ type: 'follow', tasks: [5] }]);
    live.socket.follow(6);
    live.drop();
    live.passTime();
    live.accept();
    expect(live.sent.slice(1)).toEqual([
      { type: 'follow', tasks: [5, 6] },
      { type: 'follow', tasks: [5, 6] },
    ]);
    leave();
    expect(live.sent.at(-1)).toEqual({ type: 'follow', tasks: [6] });
  });

  it('follows a task while at least one part of the page needs it', () => {
    const live = testSocket();
    live.socket.start();
    live.accept();
    const one = live.socket.follow(5);
    const two = live.socket.follow(5);
    one();
    expect(live.sent.at(-1)).toEqual({ type: 'follow', tasks: [5] });
    two();
    two();
    expect(live.sent.slice(-1)).toEqual([{ type: 'follow', tasks: [] }]);
    expect(live.sent).toHaveLength(3);
  });

  it('never follows more tasks than the server accepts', () => {
    const live = testSocket();
    live.socket.start();
    live.accept();
    for (let task = 1; task <= 60; task += 1) live.socket.follow(task);
    const last = live.sent.at(-1) as { tasks: number[] };
    expect(last.tasks).toHaveLength(50);
    expect(last.tasks.at(-1)).toBe(60);
  });
});
