import type { Task } from '@signalbox/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { tasksQuery } from '../../api/queries.ts';
import { statusStyle } from '../../ui/tasks/status.ts';

/** Colours of the arm in the tab icon, bright enough for its dark background in both themes. */
const ARM = { active: '#5aa2f5', stop: '#f0a83c' } as const;

/** The status colour of the newest active task; undefined without one. Tasks are sorted newest first. */
export const armColour = (tasks: readonly Pick<Task, 'status'>[]): string | undefined => {
  const newest = tasks.find(({ status }) => status === 'running' || status === 'starting' || status === 'stopping');
  const colour = newest && statusStyle(newest.status).colour;
  return colour === 'active' || colour === 'stop' ? ARM[colour] : undefined;
};

/** URL of the tab icon with the arm in a colour. */
export const faviconUrl = (colour: string): string =>
  `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3.5" fill="#263340"/>' +
      '<path d="M5 1.75V16" stroke="#8d9dac" stroke-width="1.75" fill="none"/><g transform="translate(5 8) rotate(-38)">' +
      `<path d="M-2.4-2.1H10v4.2H-2.4z" fill="#263340"/><path d="M-2-1.5h7.6v3H-2zM6.7-1.5h2.3v3H6.7z" fill="${colour}"/></g></svg>`,
  )}`;

/** Shows the status of the newest active task in the tab icon. Returns the colour for the logo on the page. */
export const useStatusFavicon = (project: number): string | undefined => {
  const { data: colour } = useInfiniteQuery({
    ...tasksQuery(project),
    select: ({ pages }) => armColour(pages[0] ?? []),
  });
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!icon || colour === undefined) return;
    const before = icon.href;
    icon.href = faviconUrl(colour);
    return () => {
      icon.href = before;
    };
  }, [colour]);
  return colour;
};
