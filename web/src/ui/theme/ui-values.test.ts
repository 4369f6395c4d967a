import { TASK_STATUSES } from 'virtual:routes';
import type { OwnRole } from '@signalbox/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { translate } from '../../lang/translate.ts';
import { mayDo, mayOverride, mayWith } from '../access/permissions.ts';
import { avatarColour, initials } from '../basics/avatar.ts';
import { storage } from '../browser/storage.ts';
import { type Outcome, outcomeBars } from '../tasks/outcomes.ts';
import { statusStyle } from '../tasks/status.ts';
import { closeToast, currentToast, onToast, showToast, TOAST_TIME } from '../toast/toast-store.ts';

describe('the initials of a name', () => {
  it.each([
    ['Storefront', 'ST'],
    ['Data Platform', 'DP'],
    ['  branch   offices of the north ', 'BO'],
    ['x', 'X'],
    ['', ''],
    ['Élan vital', 'ÉV'],
    ['漢字', '漢字'],
    ['🚦 signals', '🚦S'],
  ])('of %j are %j', (name, letters) => {
    expect(initials(name)).toBe(letters);
  });
});

describe('the colours of avatars', () => {
  it('cycle through red, blue, orange and green', () => {
    expect([0, 1, 2, 3, 4, 9].map(avatarColour)).toEqual([1, 2, 3, 4, 1, 2].map((at) => `var(--avatar-${at})`));
    expect(avatarColour(-1)).toBe('var(--avatar-4)');
  });
});

describe('the style of a status', () => {
  it.each([
    ['waiting', 'wait', 'Waiting'],
    ['starting', 'active', 'Starting...'],
    ['running', 'active', 'Running'],
    ['stopping', 'stop', 'Stopping...'],
    ['success', 'ok', 'Success'],
    ['error', 'error', 'Failed'],
    ['stopped', 'stop', 'Stopped'],
  ] as const)('%s', (status, colour, label) => {
    const style = statusStyle(status);
    expect(style.colour).toBe(colour);
    expect(translate(style.labelKey)).toBe(label);
  });

  it('exists for every status, each with its own colour and shape together', () => {
    const styles = TASK_STATUSES.map(statusStyle).map(({ colour, shape }) => `${colour} ${shape}`);
    expect(new Set(styles).size).toBe(styles.length - 1);
    expect(statusStyle('starting').labelKey).not.toBe(statusStyle('running').labelKey);
  });

  it('is neutral for an unknown status', () => {
    expect(statusStyle('exploded' as never).labelKey).toBe('status.unknown');
    expect(statusStyle('toString' as never).labelKey).toBe('status.unknown');
  });
});

describe('the last ten outcomes', () => {
  const outcome = (status: Outcome['status'], seconds: number): Outcome => ({
    status,
    start: new Date(0).toISOString(),
    end: status === 'running' ? null : new Date(seconds * 1000).toISOString(),
  });

  it('are drawn as ten bars, the newest at the right, with dots for missing tasks', () => {
    const bars = outcomeBars([outcome('error', 5), outcome('success', 10)]);
    expect(bars.map(({ kind }) => kind)).toEqual([...Array.from({ length: 8 }, () => 'none'), 'ok', 'error']);
  });

  it('are drawn upwards for successful tasks, with heights by duration', () => {
    const bars = outcomeBars([outcome('success', 100), outcome('success', 50), outcome('success', 1)]).slice(-3);
    expect(bars[0]?.height).toBeLessThan(bars[1]?.height ?? 0);
    expect(bars[1]?.height).toBeLessThan(bars[2]?.height ?? 0);
    for (const { y, height } of bars) expect(y + height).toBe(14);
  });

  it('are drawn downwards for failed tasks, and hollow for running ones', () => {
    const [active, stopped, failed] = outcomeBars([
      outcome('error', 1),
      outcome('stopped', 1),
      outcome('running', 0),
    ]).slice(-3);
    expect(failed?.y).toBeGreaterThan(14);
    expect(stopped?.kind).toBe('stop');
    expect(active?.kind).toBe('active');
  });

  it('do not contain older tasks', () => {
    expect(outcomeBars(Array.from({ length: 30 }, () => outcome('success', 1)))).toHaveLength(10);
  });
});

describe('the permissions of a user', () => {
  it.each([
    [undefined, 'run_tasks', false],
    [{ role: 'guest', permissions: 0 }, 'run_tasks', false],
    [{ role: 'task_runner', permissions: 1 }, 'run_tasks', true],
    [{ role: 'task_runner', permissions: 1 }, 'manage_resources', false],
    [{ role: 'manager', permissions: 5 }, 'manage_resources', true],
    [{ role: 'manager', permissions: 5 }, 'update_project', false],
    [{ role: '', permissions: 15 }, 'manage_users', true],
  ] as const)('%j may %s: %s', (role, right, may) => {
    expect(mayDo(role, right)).toBe(may);
  });
});

describe('the rights on one template', () => {
  const [GRANTED, SEEN, OPEN] = [1, 2, 3];
  const templates: OwnRole['templates'] = [
    { template_id: GRANTED, restricted: true, rights: ['see', 'run', 'edit'], limits: [] },
    { template_id: SEEN, restricted: true, rights: ['see'], limits: [] },
    { template_id: OPEN, restricted: false, rights: ['see'], limits: [] },
  ];

  it.each([
    ['a guest', 0, GRANTED, [true, true, true, false]],
    ['a guest', 0, OPEN, [false, false, false, false]],
    ['a manager', 5, GRANTED, [true, true, true, false]],
    ['a manager', 5, SEEN, [false, false, false, false]],
    ['a manager', 5, OPEN, [true, true, true, true]],
    ['a role that only stops', 16, OPEN, [false, false, true, false]],
    ['a role that only stops', 16, SEEN, [false, false, false, false]],
  ])(
    'to run, edit, stop and override of %s with the permissions %i on template %i are %j',
    (_, permissions, id, may) => {
      const role = { permissions, templates };
      const rights = (['run', 'edit', 'stop'] as const).map((right) => mayWith(role, id, right));
      expect([...rights, mayOverride(role, id)]).toEqual(may);
    },
  );
});

describe('the storage of the browser', () => {
  afterEach(() => localStorage.clear());

  it('contains the theme as 1 or 0, and nothing for the system setting', () => {
    expect(storage.dark()).toBeUndefined();
    storage.setDark(true);
    expect(localStorage.getItem('dark_mode')).toBe('1');
    storage.setDark(false);
    expect(localStorage.getItem('dark_mode')).toBe('0');
    expect(storage.dark()).toBe(false);
    storage.clearDark();
    expect(storage.dark()).toBeUndefined();
  });

  it('contains the last project, and the last view of each project', () => {
    storage.setLastProject(4);
    storage.setLastView(4, 9);
    expect(storage.lastProject()).toBe(4);
    expect(storage.lastView(4)).toBe(9);
    expect(storage.lastView(5)).toBeUndefined();
    storage.setLastView(4, undefined);
    expect(storage.lastView(4)).toBeUndefined();
  });

  it('ignores invalid values', () => {
    localStorage.setItem('last_project_id', 'x');
    localStorage.setItem('t_columns', '{"a":1}');
    localStorage.setItem('u_columns', 'not json');
    expect(storage.lastProject()).toBeUndefined();
    expect(storage.hiddenColumns('t')).toEqual([]);
    expect(storage.hiddenColumns('u')).toEqual([]);
  });

  it('contains the columns of each table under its own key', () => {
    storage.setHiddenColumns('one', ['a', 'b']);
    storage.setHiddenColumns('two', ['c']);
    expect(storage.hiddenColumns('one')).toEqual(['a', 'b']);
    expect(storage.hiddenColumns('two')).toEqual(['c']);
  });
});

describe('the snackbar', () => {
  afterEach(() => {
    closeToast();
    vi.useRealTimers();
  });

  it('shows a message for three seconds', () => {
    vi.useFakeTimers();
    expect(TOAST_TIME).toBe(3000);
    showToast('ok', 'Saved');
    vi.advanceTimersByTime(2999);
    expect(currentToast()?.text).toBe('Saved');
    vi.advanceTimersByTime(1);
    expect(currentToast()).toBeUndefined();
  });

  it('shows a later message for its full time', () => {
    vi.useFakeTimers();
    showToast('ok', 'first');
    vi.advanceTimersByTime(2000);
    showToast('error', 'second');
    vi.advanceTimersByTime(2000);
    expect(currentToast()).toMatchObject({ kind: 'error', text: 'second' });
  });

  it('notifies its listeners, and can be closed', () => {
    const shown: (string | undefined)[] = [];
    const leave = onToast(() => shown.push(currentToast()?.text));
    showToast('ok', 'one');
    closeToast();
    leave();
    showToast('ok', 'two');
    expect(shown).toEqual(['one', undefined]);
  });
});
