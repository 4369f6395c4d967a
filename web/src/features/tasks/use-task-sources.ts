import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { useLiveSocket } from '../../live/live.tsx';
import { LogSearch } from './log/log-search.ts';
import { LogSource } from './log/log-source.ts';
import { longFetchOf } from './results/long-run.ts';
import { ResultSource } from './results/result-source.ts';

/** Milliseconds between two drawings of live lines: nobody reads faster, and the page stays free for its reader. */
const LIVE_REST = 100;

/** Log and results of a task: loaded, followed while shown, and caught up after a lost connection. */
export const useTaskSources = (project_id: number, task_id: number, final: boolean | undefined) => {
  const socket = useLiveSocket();
  const [log] = useState(
    () =>
      new LogSource((query) => call('getTaskLines', { params: { project_id, task_id }, query }), {
        later: (run) => setTimeout(run, LIVE_REST),
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
      // The log stands without the results; the next message or look tries again.
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
    // The last lines may have come before the socket began to follow, and the seal is told by a call only.
    if (final) {
      void log.openEnd();
      results.load().catch(() => undefined);
    }
  }, [final, log, results]);
  const run = useSyncExternalStore(results.subscribe, () => results.run);
  useEffect(() => log.subscribe(() => search.grown(log.state.total)), [log, search]);
  return { log, search, run };
};
