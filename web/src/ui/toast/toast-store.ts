/** How long a toast is visible, in milliseconds. */
export const TOAST_TIME = 3000;

export interface ToastMessage {
  readonly id: number;
  readonly kind: 'ok' | 'error';
  readonly text: string;
}

let current: ToastMessage | undefined;
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

const setCurrent = (showToast: ToastMessage | undefined): void => {
  current = showToast;
  for (const listener of [...listeners]) listener();
};

/** Shows a short message; a later one replaces it. */
export const showToast = (kind: ToastMessage['kind'], text: string): void => {
  clearTimeout(timer);
  count += 1;
  setCurrent({ id: count, kind, text });
  timer = setTimeout(() => setCurrent(undefined), TOAST_TIME);
};

export const closeToast = (): void => {
  clearTimeout(timer);
  setCurrent(undefined);
};

export const currentToast = (): ToastMessage | undefined => current;

export const onToast = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
