import { describe, expect, it, onTestFinished } from 'vitest';
import { testSocket } from '../testing/show.tsx';
import { POLL_MS, pollWhileLost } from './poll-while-lost.ts';

/** A live connection that is lost, a clock that the test moves, and a server whose responses the test controls. */
const lost = () => {
  const live = testSocket();
  const timers: { after: number; run: () => void }[] = [];
  const page = { isHidden: false, answers: true };
  const counts = { asked: 0, answered: 0 };
  const stop = pollWhileLost(live.socket, {
    later: (after, run) => {
      const timer = { after, run };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
    isHidden: () => page.isHidden,
    request: () => {
      counts.asked += 1;
      return page.answers ? Promise.resolve() : Promise.reject(new Error('No response.'));
    },
    onAnswer: () => {
      counts.answered += 1;
    },
  });
  onTestFinished(stop);
  live.socket.start();
  live.drop();
  /** Ten seconds later, and once what is asked then is answered. */
  const tick = async (): Promise<void> => {
    const [timer] = timers.splice(0, 1);
    timer?.run();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return { live, timers, page, counts, stop, tick };
};

describe('a page without a live connection', () => {
  it('polls every ten seconds, and refetches whenever the server responds', async () => {
    const { timers, counts, tick } = lost();
    expect(timers.map(({ after }) => after)).toEqual([POLL_MS]);
    expect(POLL_MS).toBe(10_000);
    await tick();
    await tick();
    expect(counts).toEqual({ asked: 2, answered: 2 });
    expect(timers).toHaveLength(1);
  });

  it('keeps polling without a response, and changes nothing', async () => {
    const { page, counts, tick } = lost();
    page.answers = false;
    await tick();
    expect(counts).toEqual({ asked: 1, answered: 0 });
    page.answers = true;
    await tick();
    expect(counts).toEqual({ asked: 2, answered: 1 });
  });

  it('does not poll while the page is hidden, and continues when it is visible', async () => {
    const { page, counts, tick } = lost();
    page.isHidden = true;
    await tick();
    await tick();
    expect(counts.asked).toBe(0);
    page.isHidden = false;
    await tick();
    expect(counts.answered).toBe(1);
  });

  it('stops polling when the connection is open, or the page is closed', async () => {
    const { live, timers, stop } = lost();
    live.passTime();
    live.accept();
    expect(timers).toEqual([]);
    live.drop();
    live.drop();
    expect(timers).toHaveLength(1);
    stop();
    expect(timers).toEqual([]);
  });
});
