import { CallRefused } from '../api-client.ts';

/** Statuses with which a balancer or a server that stops answers. */
const AWAY: readonly number[] = [502, 503, 504];

/** Repeats a call while no server answers. A call whose answer was lost may have had an effect. */
export const patiently = async <T>(call: () => Promise<T>, limitMs = 90_000): Promise<T> => {
  for (const until = performance.now() + limitMs; ; ) {
    try {
      return await call();
    } catch (error) {
      const isAway = !(error instanceof CallRefused) || AWAY.includes(error.status);
      if (!isAway || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
};
