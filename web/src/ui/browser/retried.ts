/** Number of attempts, and the time between two of them, in milliseconds: together longer than a server restarts. */
const ATTEMPTS = 20;
const PAUSE_MS = 2000;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/**
 * Loads a part of the page, and tries again while no server answers. Otherwise an error would replace the whole page.
 */
export const retried = async <T>(load: () => Promise<T>, wait: () => Promise<void> = pause): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await load();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await wait();
    }
};
