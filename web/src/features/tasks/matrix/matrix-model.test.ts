import type { ResultRecord } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import type { MatrixSort } from '../../../ui/tasks/matrix-url.ts';
import { buildRun } from '../results/run-model.ts';
import { badColumns, shownCells, worstStep } from './matrix-cell.ts';
import { drawnColumns, stepColumns } from './matrix-columns.ts';
import { countResults, filterHosts, nameFilter, unknownParts } from './matrix-filter.ts';
import { groupHosts, type KeyedHost } from './matrix-groups.ts';
import { hostsOfRun, type MatrixHost } from './matrix-host.ts';
import { HostKeys, hasConflict, type RunningStep } from './matrix-model.ts';
import { targetedHosts } from './matrix-plays.ts';

let step = 0;
const play = (number: number, names: string[]): ResultRecord => {
  return { kind: 'play', at: 0, line: 1, play: number, name: 'Site', hosts: names.length, names };
};
const stepOf = (of: number, name: string): ResultRecord => {
  step += 1;
  return { kind: 'step', at: 0, line: 1, step, play: of, name, action: name, handler: false };
};
const result = (host: string, what: 'ok' | 'changed' | 'failed' | 'unreachable' = 'ok', at = 10): ResultRecord => {
  return { kind: 'host', at, line: 1, step, host, result: what, message: '' };
};
const runOf = (records: () => ResultRecord[]) => {
  step = 0;
  return buildRun(records());
};

/** All results of a generator that is not interrupted. */
const finish = <Result>(work: Generator<void, Result>): Result => {
  for (;;) {
    const next = work.next();
    if (next.done) return next.value;
  }
};

const keyed = (hosts: readonly MatrixHost[], run = runOf(sample), running?: RunningStep): readonly KeyedHost[] =>
  finish(new HostKeys().keyed(hosts, drawnColumns(stepColumns(run, true), true), running, targetedHosts(run)));

const sample = (): ResultRecord[] => [
  play(1, ['a-1', 'a-2', 'a-10', 'b', 'c', 'late']),
  stepOf(1, 'base : One'),
  ...[result('a-10'), result('a-1'), result('a-2'), result('b', 'unreachable'), result('c', 'changed')],
  stepOf(1, 'base : Two'),
  ...[result('a-10', 'changed'), result('a-1', 'changed'), result('a-2', 'changed', 9_000), result('c', 'failed')],
  stepOf(1, 'Last'),
  result('a-1'),
];

const running: RunningStep = {
  ...{ position: 2, first: 0, isForAll: true, names: new Set(['a-1', 'a-2', 'a-10', 'b', 'c']) },
};

describe('the columns of the matrix', () => {
  it('are one for each role with folded roles, and one for each step without', () => {
    const steps = stepColumns(runOf(sample), true);
    const shape = (folds: boolean) => drawnColumns(steps, folds).map(({ label, hasLine }) => [label, hasLine]);
    expect(shape(true)).toEqual([
      ['base', true],
      ['Last', true],
    ]);
    expect(shape(false)).toEqual([
      ['One', true],
      ['Two', false],
      ['Last', true],
    ]);
  });

  it('are shared by the batches of a play, unless a host has results in two of them', () => {
    const batches = (second: string) => () => [
      play(1, ['a']),
      ...[stepOf(1, 'One'), result('a'), stepOf(1, 'Two'), result('a')],
      play(2, [second]),
      ...[stepOf(2, 'One'), result(second), stepOf(2, 'Only here'), result(second), stepOf(2, 'Two'), result(second)],
    ];
    const run = runOf(batches('b'));
    const columns = stepColumns(run, true);
    expect(columns.map(({ name, positions }) => [name, positions])).toEqual([
      ['One', [0, 2]],
      ['Only here', [3]],
      ['Two', [1, 4]],
    ]);
    expect(hasConflict(hostsOfRun(run), columns)).toBe(false);
    const twice = runOf(batches('a'));
    expect(hasConflict(hostsOfRun(twice), stepColumns(twice, true))).toBe(true);
    expect(stepColumns(twice, false)).toHaveLength(5);
  });
});

describe('the groups of the matrix', () => {
  const groups = (sort: MatrixSort = 'trouble', folds = true) =>
    finish(groupHosts(keyed(hostsOfRun(runOf(sample)), undefined, running), folds, sort));

  it('contain hosts with the same results, trouble first, each block by the number of hosts', () => {
    expect(groups().map(({ block, hosts }) => [block, ...hosts.map(({ host }) => host)])).toEqual([
      ['bad', 'c'],
      ['bad', 'b'],
      ['running', 'a-2', 'a-10'],
      ['done', 'a-1'],
      ['waiting', 'late'],
    ]);
  });

  it('show the worst result of a folded role with the number of changes', () => {
    const columns = drawnColumns(stepColumns(runOf(sample), true), true);
    const shown = groups().map((group) => shownCells(group.shown, columns));
    expect(shown.map((cells) => cells.map(({ letter, changes }) => `${letter}${changes || ''}`).join(' '))).toEqual([
      ...['f1 .', 'u .', 'c1 a', 'c1 o', '. .'],
    ]);
  });

  it('open the changed step of a folded role before one without a change', () => {
    const run = runOf(() => [
      ...[play(1, ['a']), stepOf(1, 'base : One'), result('a'), stepOf(1, 'base : Two'), result('a', 'changed')],
    ]);
    const [host] = hostsOfRun(run);
    const [column] = drawnColumns(stepColumns(run, true), true);
    expect(host && column && worstStep(host, column)?.name).toBe('base : Two');
    const [{ shown = '' } = {}] = keyed(hostsOfRun(run), run);
    expect(column && shownCells(shown, [column])).toEqual([{ letter: 'c', changes: 1 }]);
  });

  it.each([
    ['of which the hosts are known', true],
    ['of which only the number of hosts is known', false],
  ])('leave the steps of plays empty that do not target a host, for plays %s', (_, hasNames) => {
    const run = runOf(() => {
      const first = [play(1, ['a', 'b', 'c']), stepOf(1, 'One'), result('a'), result('b'), result('c', 'failed')];
      const other = { ...play(2, ['a', 'c']), ...(hasNames ? {} : { names: undefined }) } as ResultRecord;
      return [...first, other, stepOf(2, 'Two'), result('a'), stepOf(2, 'Three'), result('a')];
    });
    const shown = keyed(hostsOfRun(run), run).map(({ host, shown: text }) => `${host.host}${text}`);
    // The host that failed is in the play, and no longer reached.
    expect(shown).toEqual(['aooo', 'bo  ', 'cf..']);
  });

  it('sort by name, by changes and by time, also without folding', () => {
    const first = (sort: MatrixSort) => groups(sort, false).map(({ hosts }) => hosts[0]?.host);
    expect(first('name')).toEqual(['a-1', 'a-2', 'a-10', 'b', 'c', 'late']);
    expect(first('changed').slice(0, 4)).toEqual(['a-1', 'a-2', 'a-10', 'c']);
    expect(first('time')[0]).toBe('a-2');
  });

  it('count failures that a playbook rescued as done', () => {
    const rescued = runOf(() => [
      play(1, ['a']),
      stepOf(1, 'One'),
      { ...result('a', 'failed'), rescued: true } as never,
    ]);
    expect(hostsOfRun(rescued)).toMatchObject([{ cells: 'r', isBad: false }]);
  });

  it('compute only what a host with new results shows', () => {
    const keys = new HostKeys();
    const columns = drawnColumns(stepColumns(runOf(sample), true), true);
    const hosts = hostsOfRun(runOf(sample));
    const plays = targetedHosts(runOf(sample));
    const before = finish(keys.keyed(hosts, columns, running, plays));
    const after = finish(keys.keyed([{ ...(hosts[0] as MatrixHost) }, ...hosts.slice(1)], columns, running, plays));
    expect(after.map((one, at) => one === before[at])).toEqual([
      false,
      ...hosts.slice(1).map(({ number }) => number > 0),
    ]);
  });
});

describe('the filters of the matrix', () => {
  const all = () => keyed(hostsOfRun(runOf(sample)), undefined, running);

  it('count hosts by result, and select them', () => {
    expect(countResults(all())).toEqual({ failed: 1, unreachable: 1, running: 2, changed: 4, slow: 1 });
    expect(filterHosts(all(), 'slow', undefined).map(({ host }) => host.host)).toEqual(['a-2']);
    expect(filterHosts(all(), 'running', nameFilter('10')).map(({ host }) => host.host)).toEqual(['a-10']);
  });

  it('name the parts of a search that are neither a group nor a host', () => {
    const unknown = (search: string) =>
      unknownParts(search, new Map([['web', new Set(['b', 'not-in-the-run'])]]), all());
    expect(unknown('WEB:&a-1,!db,x*,all')).toEqual(['db']);
    expect(unknown('web[0:1],~a-\\d,not-in-the-run')).toEqual([]);
    expect(unknown('')).toEqual([]);
  });

  it.each([
    ['a-1', ['a-1', 'a-10']],
    ['A-*', ['a-1', 'a-2', 'a-10']],
    ['all:!a*', ['b', 'c', 'late']],
    ['&a*,all', ['a-1', 'a-2', 'a-10']],
    ['a-?,b', ['a-1', 'a-2', 'b']],
    ['a*:!a-1*', ['a-2']],
    ['web', ['b', 'c']],
    ['web:&c', ['c']],
    ['!web:!a*', ['late']],
    ['a-[', []],
  ])('search for %s', (search, hosts) => {
    const fits = nameFilter(search, new Map([['web', new Set(['b', 'c'])]]));
    expect(['a-1', 'a-2', 'a-10', 'b', 'c', 'late'].filter(fits)).toEqual(hosts);
  });
});

it('the colons of an IPv6 address separate no parts of a search', () => {
  const fit = (search: string) => ['fe80::1', 'fe80::2', '2001:db8:0:0:0:0:0:2', 'web1'].filter(nameFilter(search));
  expect(fit('fe80::1')).toEqual(['fe80::1']);
  expect(fit('fe80*,!fe80::1')).toEqual(['fe80::2']);
  expect(fit('web:2001:db8:0:0:0:0:0:2')).toContain('web1');
  expect(fit('2001:db8:0:0:0:0:0:2 web')).toEqual(['2001:db8:0:0:0:0:0:2', 'web1']);
});

describe('the columns of filtered hosts', () => {
  it('are failed only if a host that is shown failed in them', () => {
    const columns = drawnColumns(stepColumns(runOf(sample), true), false).slice(0, 3);
    expect([...badColumns({ columns, groups: [{ shown: 'oco' }, { shown: 'oof' }, { shown: 'uoo' }] })].sort()).toEqual(
      [0, 2],
    );
    expect(badColumns({ columns, groups: [{ shown: 'oco' }] }).size).toBe(0);
  });
});
