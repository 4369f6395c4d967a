import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { LiveProvider } from '../live/live.tsx';
import { LiveSocket, type SocketLike } from '../live/live-socket.ts';
import { cssVariables, theme } from '../ui/theme/theme.ts';

/** A connection through which a test sends messages. */
export const testSocket = () => {
  const sent: unknown[] = [];
  const sockets: SocketLike[] = [];
  const waiting: (() => void)[] = [];
  const socket = new LiveSocket({
    open: () => {
      const made: SocketLike = {
        onopen: null,
        onmessage: null,
        onclose: null,
        send: (text) => sent.push(JSON.parse(text)),
        close: () => undefined,
      };
      sockets.push(made);
      return made;
    },
    later: (_, run) => {
      waiting.push(run);
      return () => waiting.splice(waiting.indexOf(run), 1);
    },
  });
  const newest = () => sockets.at(-1);
  return {
    socket,
    sent,
    opened: () => sockets.length,
    accept: () => newest()?.onopen?.(),
    send: (message: unknown) =>
      newest()?.onmessage?.({ data: typeof message === 'string' ? message : JSON.stringify(message) }),
    drop: () => newest()?.onclose?.(),
    /** Advances the time by a delay that the page waits for. */
    passTime: () => {
      for (const run of waiting.splice(0)) run();
    },
    waiting,
  };
};

export interface ShowOptions {
  /** The URL of the page. */
  at?: string;
  live?: ReturnType<typeof testSocket>;
  client?: QueryClient;
}

/** Renders a part of the page with all providers of the real page. */
export const show = async (content: ReactNode, { at = '/', live = testSocket(), client }: ShowOptions = {}) => {
  const queries = client ?? new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const root = createRootRoute({ component: Outlet });
  const everything = createRoute({ getParentRoute: () => root, path: '$', component: () => content });
  const home = createRoute({ getParentRoute: () => root, path: '/', component: () => content });
  const router = createRouter({
    routeTree: root.addChildren([home, everything]),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  await router.load();
  const shown = render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <QueryClientProvider client={queries}>
        <LiveProvider socket={live.socket}>
          {/* The route types of the page do not fit the router of a test. */}
          <RouterProvider router={router as never} />
        </LiveProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await act(async () => {});
  return { ...shown, router, live, client: queries };
};
