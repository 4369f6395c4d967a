import type { MakeRequest } from './request.ts';

/** The request of a call without parameters and body. */
export const nothing: MakeRequest = () => ({});

/** Requests about the whole installation. */
export const SYSTEM_REQUESTS = {
  ping: nothing,
  ready: nothing,
  metrics: nothing,
  getSystem: nothing,
  getStorageOfProjects: nothing,
  getQueue: nothing,
};
