import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { useLiveSocket } from '../../live/live.tsx';
import { LogSearch } from './log/log-search.ts';
import { LogSource } from './log/log-source.ts';
import { longFetchOf } from './results/long-run.ts';
import { ResultSource } from './results/result-source.ts';

/**
 * Minimum time between two redraws of live lines, in milliseconds: faster redraws are unreadable and block the page.
 */
const LIVE_REDRAW_MS = 100;

/** The log and results of a task: loaded, updated live while shown, and refreshed after a lost connection. */
export const useTaskSources = (project_id: number, task_id: number, final: boolean | undefined) => {
  const socket = useLiveSocket();
  const [log] = useState(
    () =>
      new LogSource((query) => call('getTaskLines', { params: { project_id, task_id }, query }), {
        later: (run) => setTimeout(run, LIVE_REDRAW_MS),
      }),
  );
  const [search] = useState(
    () =>
      new LogSearch((text, from, signal) =>
        call('searchTaskLines', { params: { project_id, task_id }, query: { text, from }, signal }),
      ),
  );
  const [results] = useState(
    () =>
      new ResultSource(
        (query) => call('getTaskResults', { params: { project_id, task_id }, query }),
        longFetchOf(project_id, task_id),
      ),
  );
  useEffect(() => {
    const catchUp = (): void => {
      void log.openEnd();
      // The log does not need the results. The next message loads them again.
      results.load().catch(() => undefined);
    };
    const stops = [
      socket.onMessage((message) => {
        if (!('task_id' in message) || message.task_id !== task_id) return;
        if (message.type === 'lines') log.live(message.first, message.lines);
        else if (message.type === 'results') results.live(message.first, message.records);
        else if (message.type === 'behind') {
          log.behind(message.total);
          results.load().catch(() => undefined);
        }
      }),
      socket.onMissed(catchUp),
      socket.follow(task_id),
    ];
    catchUp();
    return () => {
      for (const stop of stops) stop();
    };
  }, [socket, task_id, log, results]);
  useEffect(() => {
    // The last lines may have arrived before the socket followed the task, and only a request returns that the log is
    // complete.
    if (final) {
      void log.openEnd();
      results.load().catch(() => undefined);
    }
  }, [final, log, results]);
  const run = useSyncExternalStore(results.subscribe, () => results.run);
  useEffect(() => log.subscribe(() => search.grown(log.state.total)), [log, search]);
  return { log, search, run };
};
