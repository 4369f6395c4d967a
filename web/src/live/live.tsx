import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import { queryKey } from '../api/keys.ts';
import { userQuery } from '../api/queries.ts';
import { LiveCache } from './live-cache.ts';
import { LiveSocket, type LiveState, type SocketLike } from './live-socket.ts';
import { pollWhileLost } from './poll-while-lost.ts';
import { lookAgain } from './refetch-loaded.ts';
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
    socket.onMessage((message) => {
      // A task that cannot be fetched is shown by the next look at its list; there is nobody to tell here.
      if (message.type === 'update') cache.apply(message).catch(() => undefined);
      if (message.type === 'changed') refreshPart(client, message);
      if (message.type === 'installation') refreshInstallation(client, message);
    }),
    // Nobody knows what was missed, also between the page's first answers and its first connection.
    socket.onState(() => {
      if (socket.state === 'open') lookAgain(client);
      // A browser does not say why a connection ended: a call tells whether the session did.
      if (socket.state === 'lost') void client.invalidateQueries({ queryKey: queryKey.user });
    }),
    pollWhileLost(socket, {
      later,
      isHidden: () => document.hidden,
      ask: () => client.fetchQuery({ ...userQuery(), staleTime: 0 }),
      onAnswer: () => {
        lookAgain(client);
        socket.tellMissed();
      },
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};

/** Holds the live connection for what is inside, and keeps the loaded data fresh with it. */
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

/** The live connection, for those who follow a task. */
export const useLiveSocket = (): LiveSocket => {
  const socket = use(LiveContext);
  if (!socket) throw new Error('useLiveSocket needs a LiveProvider around it');
  return socket;
};

export const useLiveState = (): LiveState => {
  const socket = useLiveSocket();
  return useSyncExternalStore(socket.onState, () => socket.state);
};
