/** How long a toast is visible, in milliseconds. */
export const SNACKBAR_TIME = 3000;

export interface Snack {
  readonly id: number;
  readonly kind: 'ok' | 'error';
  readonly text: string;
}

let current: Snack | undefined;
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

const set = (snack: Snack | undefined): void => {
  current = snack;
  for (const listener of [...listeners]) listener();
};

/** Shows a short message; a later one replaces it. */
export const snack = (kind: Snack['kind'], text: string): void => {
  clearTimeout(timer);
  count += 1;
  set({ id: count, kind, text });
  timer = setTimeout(() => set(undefined), SNACKBAR_TIME);
};

export const closeSnack = (): void => {
  clearTimeout(timer);
  set(undefined);
};

export const currentSnack = (): Snack | undefined => current;

export const onSnack = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
