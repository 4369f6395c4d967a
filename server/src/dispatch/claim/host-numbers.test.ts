import { expect, it } from 'vitest';
import { hostNames } from '../../testing/database/queue.ts';
import { HostNumbers } from './host-numbers.ts';

const list = (task_id: number) => ({ task_id, project_id: 1, digest: 'same' });

it('reads a list from the next task with the same hosts when the first one has ended', async () => {
  const numbers = new HostNumbers();
  await numbers.add(
    [list(1), list(2)],
    hostNames,
    async (ids) => new Map(ids.filter((id) => id !== 1).map((id) => [id, ['web1']])),
  );
  expect([...numbers.listOf(list(1))].map((number) => numbers.nameOf(number))).toEqual(['web1']);
});

it('stores no list that could not be read, so the next task with it is compared', async () => {
  const numbers = new HostNumbers();
  expect(await numbers.add([list(1)], hostNames, async () => new Map())).toEqual(new Set([1]));
  expect(() => numbers.listOf(list(1))).toThrow();
  await numbers.add([list(2)], hostNames, async () => new Map([[2, ['web1']]]));
  expect(numbers.listOf(list(2))).toHaveLength(1);
});

it('reads each list once', async () => {
  const numbers = new HostNumbers();
  const read: number[] = [];
  const reader = async (ids: readonly number[]) => {
    read.push(...ids);
    return new Map(ids.map((id) => [id, ['web1']]));
  };
  for (let n = 0; n < 2; n++) await numbers.add([list(1), list(2)], hostNames, reader);
  expect(read).toEqual([1]);
});

it('numbers a text that cannot be decrypted as a host of its own', async () => {
  const numbers = new HostNumbers();
  const [own = '', other = ''] = [1, 2].map((project) => hostNames.encrypt(project, 'web1'));
  await numbers.add([list(1)], hostNames, async () => new Map([[1, ['web1', own, other]]]));
  const [plain, ...rest] = numbers.listOf(list(1));
  expect(rest).toEqual([plain, 1]);
});
