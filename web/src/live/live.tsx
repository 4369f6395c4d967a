import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import { dropEarly } from '../api/early-calls.ts';
import { queryKey } from '../api/keys.ts';
import { userQuery } from '../api/queries.ts';
import { LiveCache } from './live-cache.ts';
import { LiveSocket, type LiveState, type SocketLike } from './live-socket.ts';
import { isOffline, onNetwork } from './network.ts';
import { pageFiles } from './page-files.ts';
import { pollWhileLost } from './poll-while-lost.ts';
import { refetchLoaded } from './refetch-loaded.ts';
import { refreshInstallation, refreshPart } from './refresh-part.ts';

const socketAddress = (): string => {
  const url = new URL('api/ws', document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
};

const later = (milliseconds: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

const browserSocket = (): LiveSocket =>
  new LiveSocket({ open: () => new WebSocket(socketAddress()) as SocketLike, later });

const LiveContext = createContext<LiveSocket | undefined>(undefined);

const connectCache = (socket: LiveSocket, client: QueryClient): (() => void) => {
  const cache = new LiveCache(client);
  const stops = [
    () => cache.stop(),
    onNetwork(() => (isOffline() ? socket.disconnect() : socket.reconnect())),
    socket.onMessage((message) => {
      // If the task can't be fetched, the next refetch of its list shows it.
      if (message.type === 'update') cache.apply(message).catch(() => undefined);
      if (message.type === 'progress') cache.applyProgress(message);
      if (message.type === 'changed') refreshPart(client, message);
      if (message.type === 'installation') refreshInstallation(client, message);
      // Updates may have been lost between the servers.
      if (message.type === 'missed') refetchLoaded(client);
    }),
    // Messages may have been missed, also between the first responses and the first connection.
    socket.onState(() => {
      if (socket.state === 'open') {
        dropEarly();
        refetchLoaded(client);
        void pageFiles.check();
      }
      // A browser does not report why a connection closed: a request determines whether the session has ended.
      if (socket.state === 'lost') void client.invalidateQueries({ queryKey: queryKey.user });
    }),
    pollWhileLost(socket, {
      later,
      isHidden: () => document.hidden,
      request: () => client.fetchQuery({ ...userQuery(), staleTime: 0 }),
      onAnswer: () => {
        refetchLoaded(client);
        socket.notifyMissed();
      },
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};

/** Provides the live connection to its children and applies its messages to the query cache. */
export const LiveProvider = ({ children, socket: given }: { children: ReactNode; socket?: LiveSocket }) => {
  const [socket] = useState(() => given ?? browserSocket());
  const client = useQueryClient();
  useEffect(() => {
    const disconnect = connectCache(socket, client);
    socket.start();
    return () => {
      disconnect();
      socket.stop();
    };
  }, [socket, client]);
  return <LiveContext value={socket}>{children}</LiveContext>;
};

/** The live connection, for components that follow a task. */
export const useLiveSocket = (): LiveSocket => {
  const socket = use(LiveContext);
  if (!socket) throw new Error('useLiveSocket needs a LiveProvider around it');
  return socket;
};

export const useLiveState = (): LiveState => {
  const socket = useLiveSocket();
  return useSyncExternalStore(socket.onState, () => socket.state);
};
