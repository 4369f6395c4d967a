import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { onTestFinished, vi } from 'vitest';
import { createAppRouter } from '../app/router.tsx';
import { cssVariables, theme } from '../ui/theme/theme.ts';
import { Toast } from '../ui/toast/toast.tsx';
import { sampleTask, sampleTemplate } from './sample.ts';
import { answerCalls, type Given, type Made } from './test-fetch.ts';

/** A connection that never sends a message. */
class SilentSocket {
  static opened = 0;
  onopen = null;
  onmessage = null;
  onclose = null;
  constructor() {
    SilentSocket.opened += 1;
  }
  send(): void {}
  close(): void {}
}

export const APP_USER = {
  id: 1,
  name: 'Mara Vogt',
  username: 'mara',
  email: 'mara@example.org',
  admin: false,
  alert: false,
  external: false,
  can_create_project: false,
  billing: false,
  language: 'en',
};

/** What uses an object that nothing uses. */
const UNUSED = { templates: [], inventories: [], repositories: [], schedules: [], used_by_hidden: false };

/** Default responses of the test server by path: two projects with a template, a view and a task each. */
const answersOf = (change: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  '/api/user': APP_USER,
  '/api/info': {
    version: '1.0.0',
    alert_channels: [],
    execution_environments: ['system'],
    default_execution_environment: { kind: 'system' },
  },
  '/api/project/1/storage/freed': {
    ...{ tasks: 0, logs: 0, bytes: 0, measured: null },
    system: { keep_tasks_days: 0, keep_logs_days: 0, keep_tasks_min: 20 },
    ...{ outdated: false, next_sweep: null },
  },
  '/api/projects': [
    {
      id: 1,
      name: 'Storefront',
      alert: false,
      alert_chat: '',
      alert_language: 'en',
      alert_silent_hosts: false,
      collect_facts: true,
      keep_tasks_days: null,
      keep_logs_days: null,
      keep_tasks_min: null,
      max_parallel_tasks: 0,
      runner_tags: [],
      execution_environment: null,
    },
    {
      id: 2,
      name: 'Data Platform',
      alert: false,
      alert_chat: '',
      alert_language: 'en',
      alert_silent_hosts: false,
      collect_facts: true,
      keep_tasks_days: null,
      keep_logs_days: null,
      keep_tasks_min: null,
      max_parallel_tasks: 0,
      runner_tags: [],
      execution_environment: null,
    },
  ],
  '/api/project/1/role': { role: 'owner', permissions: 15 },
  '/api/project/2/role': { role: 'owner', permissions: 15 },
  '/api/project/1/templates': [sampleTemplate()],
  '/api/project/1/templates/1': sampleTemplate(),
  '/api/project/1/templates/1/times': { runs: [], steps: [], hosts: [], slower: null },
  '/api/project/1/tasks': [sampleTask({ id: 7 })],
  '/api/project/1/tasks/7': sampleTask({ id: 7 }),
  '/api/project/1/views': [{ id: 3, project_id: 1, title: 'Maintenance', position: 0 }],
  ...change,
});

export interface ShowAppOptions {
  /** Responses by path that replace or extend the default ones. */
  answers?: Readonly<Record<string, unknown>>;
  /** Responds to writing calls, and may respond to any other call before the default responses. */
  answer?: (made: Made) => Given | Promise<Given> | undefined;
  isSignedIn?: boolean;
  /** Whether the window is narrower than the limit of the drawer. */
  isNarrow?: boolean;
}

/** The media query for narrow windows. */
const watchWidth = (isNarrow: boolean): string[] => {
  const asked: string[] = [];
  const { matchMedia } = window;
  window.matchMedia = (media) => {
    asked.push(media);
    return { ...matchMedia(media), matches: isNarrow && media.includes('max-width') };
  };
  onTestFinished(() => {
    window.matchMedia = matchMedia;
  });
  return asked;
};

const stand = (at: string, isSignedIn: boolean): void => {
  const base = document.createElement('base');
  base.href = '/';
  document.head.append(base);
  // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it
  document.cookie = `signalbox_signed_in=${isSignedIn ? 1 : 0}; path=/`;
  window.history.replaceState(null, '', at);
  onTestFinished(() => {
    base.remove();
    window.history.replaceState(null, '', '/');
  });
};

/** Renders the whole page at a URL, with its real routes and a test server. */
export const showApp = async (
  at: string,
  { answers = {}, answer = () => undefined, isSignedIn = true, isNarrow = false }: ShowAppOptions = {},
) => {
  stand(at, isSignedIn);
  const known = answersOf(answers);
  const calls = answerCalls(async (made) => {
    const given = await answer(made);
    if (given) return given;
    if (made.method !== 'GET') return { status: 204 };
    if (made.path in known) return { status: 200, body: known[made.path] };
    if (made.path.endsWith('/refs')) return { status: 200, body: UNUSED };
    if (made.path.endsWith('/statistics')) return { status: 200, body: { days: [], templates: [] } };
    return /\/(role|tasks\/\d+|templates\/\d+)$/.test(made.path)
      ? { status: 404, body: { error: 'There is no such thing.' } }
      : { status: 200, body: [] };
  });
  vi.stubGlobal('WebSocket', SilentSocket);
  SilentSocket.opened = 0;
  const widths = watchWidth(isNarrow);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const router = createAppRouter(client);
  const shown = render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <Toast />
    </MantineProvider>,
  );
  await act(() => router.load());
  return {
    ...shown,
    calls,
    client,
    router,
    widths,
    user: userEvent.setup(),
    sockets: () => SilentSocket.opened,
    address: () => router.state.location.href,
  };
};
