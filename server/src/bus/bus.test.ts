import { AppName } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { serverState } from '../testing/server-state.ts';
import { TestClock } from '../testing/test-clock.ts';
import { Bus } from './bus.ts';
import { shortened } from './linked-runner.ts';
import { readNotice } from './notice.ts';
import { Peers } from './peers.ts';
import { PendingNotices } from './pending-notices.ts';

it('the bus calls the handlers of an event in their order, with its origin', () => {
  const bus = new Bus(() => undefined);
  const calls: string[] = [];
  bus.on('part_changed', ({ part }, origin) => calls.push(`first ${part} ${origin}`));
  bus.on('part_changed', ({ projectId }) => calls.push(`second ${projectId}`));
  bus.on('rights_changed', () => calls.push('rights'));
  bus.publish('part_changed', { projectId: 7, part: 'keys' });
  bus.publish('part_changed', { projectId: 8, part: 'views' }, 'elsewhere');
  expect(calls).toEqual(['first keys here', 'second 7', 'first views elsewhere', 'second 8']);
});

it('notices contain the same event once, join the lines of a task, and fit into PostgreSQL', () => {
  const pending = new PendingNotices();
  const big = 2_000_000_000;
  for (let n = 0; n < 900; n++) {
    pending.tasks([big + n, big + n]);
    pending.stored('lines', { project: big, task: big + n, first: big, last: big });
    pending.stored('lines', { project: big, task: big + n, first: big + 1, last: big + 5 });
  }
  const texts: string[] = [];
  while (!pending.isEmpty)
    texts.push(JSON.stringify({ server: 'a'.repeat(12), ...pending.take(), heartbeat: 1e12 / 3 }));
  const watched = { all: false, tasks: Array.from({ length: 500 }, (_, n) => big + n) };
  const about = serverState({ host: '€'.repeat(100), version: '€'.repeat(100), load: 1 / 3, loop_delay_ms: 1 / 3 });
  texts.push(JSON.stringify({ server: 'a'.repeat(12), watched, about, heartbeat: 1e12 / 3 }));
  for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(8_000);
  const notices = texts.map((text) => readNotice(text));
  expect(notices.flatMap((notice) => notice?.tasks)).toEqual(Array.from({ length: 900 }, (_, n) => big + n));
  const ranges = notices.flatMap((notice) => notice?.lines);
  expect(ranges).toHaveLength(900);
  expect(notices.at(-1)?.about).toEqual(about);
  expect(ranges[0]).toEqual({ project: big, task: big, first: big, last: big + 5 });
});

it('too many pending notices become one after which the others read everything', () => {
  const pending = new PendingNotices();
  for (let id = 1; id <= 5_001; id++) pending.tasks([id]);
  pending.installation({ part: 'users' });
  expect(pending.take()).toEqual({ signals: ['events_missed'] });
  expect(pending.isEmpty).toBe(true);
});

it('a notice of a newer version is read without what only that version knows; other texts are ignored', () => {
  const notice = readNotice(
    JSON.stringify({
      server: 'a',
      parts: [
        [1, 'keys'],
        [1, 'workflows'],
      ],
      installation: ['users', 'clusters'],
      signals: ['rights_changed', 'moon_changed'],
      more: 1,
    }),
  );
  expect(notice).toMatchObject({
    parts: [{ projectId: 1, part: 'keys' }],
    installation: ['users'],
    signals: ['rights_changed'],
    tasks: [],
  });
  for (const text of ['', 'null', '{}', '[', '{"server":"a","tasks":["x"]}']) expect(readNotice(text)).toBeUndefined();
});

it('a notice whose description of a server is invalid or too long is read without it', () => {
  const read = (about: object) => readNotice(JSON.stringify({ server: 'a', tasks: [7], about }));
  const invalid = [{ host: 'x'.repeat(101) }, { load: -1 }, { memory: '1' }, { started: 'now' }, { disk: { free: 1 } }];
  for (const change of invalid) expect(read({ ...serverState(), ...change })).toMatchObject({ tasks: [7] });
  for (const change of invalid) expect(read({ ...serverState(), ...change })?.about).toBeUndefined();
  expect(read({ ...serverState(), moon: 1 })?.about).toEqual(serverState());
});

it('peers keep the newest description of each server until it ends or is silent for too long', () => {
  const clock = new TestClock('2026-11-25T10:00:00Z');
  const peers = new Peers(clock);
  peers.received({ server: 'a', about: serverState({ pid: 1 }), watched: { all: true, tasks: [] } });
  peers.received({ server: 'a', about: serverState({ pid: 2 }) });
  peers.received({ server: 'a' });
  peers.received({ server: 'old' });
  const pids = () => [...peers.servers].map(([name, about]) => [name, about?.pid]);
  expect(pids()).toEqual([
    ['a', 2],
    ['old', undefined],
  ]);
  peers.ended('a');
  peers.ended('unknown');
  expect([pids(), peers.isWatched(1)]).toEqual([[['old', undefined]], false]);
  clock.pass(20_001);
  peers.sweep();
  expect(pids()).toEqual([]);
});

it('peers want the lines of their tasks, and have runners, until they are silent for too long', () => {
  const clock = new TestClock('2026-11-25T10:00:00Z');
  const peers = new Peers(clock);
  const runner = (id: number) => ({ id, slots: 1, version: '', apps: [], runAs: null, draining: false });
  const watches = (...tasks: number[]) => ({ watched: { all: false, tasks } });
  const runners = (isFirst: boolean, isLast: boolean, ...ids: number[]) => ({
    runners: { isFirst, isLast, list: ids.map(runner) },
  });
  const idsOfRunners = () => peers.runners.map(({ id }) => id);
  const watched = () => [1, 2, 3, 4].filter((id) => peers.isWatched(id));
  expect(peers.received({ server: 'a', ...watches(1, 2), ...runners(true, true, 7) })).toEqual({
    isNew: true,
    newTasks: [1, 2],
  });
  expect(peers.received({ server: 'b', ...watches(2, 3), ...runners(true, true, 8) }).newTasks).toEqual([2, 3]);
  peers.received({ server: 'b', ...runners(true, false, 8) });
  expect(idsOfRunners()).toEqual([7, 8]);
  peers.received({ server: 'b', ...runners(false, true, 9) });
  expect([watched(), idsOfRunners()]).toEqual([
    [1, 2, 3],
    [7, 8, 9],
  ]);
  clock.pass(15_000);
  expect(peers.received({ server: 'b', ...runners(true, true, 9) })).toEqual({ isNew: false, newTasks: [] });
  clock.pass(15_000);
  peers.sweep();
  expect([watched(), idsOfRunners()]).toEqual([[2, 3], [9]]);
  peers.received({ server: 'b', watched: { all: true, tasks: [] } });
  expect(peers.isWatched(4)).toBe(true);
});

it('peers are at most 64, because any user of the database can send notices', () => {
  const peers = new Peers(new TestClock('2026-11-25T10:00:00Z'));
  for (let n = 0; n < 100; n++) peers.received({ server: `${n}`, watched: { all: false, tasks: [n + 1] } });
  expect([peers.isWatched(64), peers.isWatched(65)]).toEqual([true, false]);
});

it('a few runners with the longest texts fit into a notice', () => {
  const apps = AppName.options.map((name) => ({ name, version: 'ü'.repeat(200) }));
  const runner = {
    id: 2_000_000_000,
    slots: 1000,
    version: 'ü'.repeat(500),
    apps,
    runAs: 'ü'.repeat(500),
    draining: false,
  };
  const list = Array.from({ length: 8 }, () => shortened(runner));
  expect(
    Buffer.byteLength(JSON.stringify({ server: 'a'.repeat(12), runners: { isFirst: true, isLast: true, list } })),
  ).toBeLessThan(8_000);
});
