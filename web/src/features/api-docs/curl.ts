import type { ApiCall } from './api-document.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The call as a shell command.
 * @param baseUrl URL of the API, without a trailing slash
 */
export const curlCommand = ({ method, path, open, body }: ApiCall, baseUrl: string): string => {
  const url = `${baseUrl}${path.replaceAll(/\{\w+\}/g, '1')}`;
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...(open ? [] : ['-H "Authorization: Bearer $SIGNALBOX_TOKEN"']),
    ...(body
      ? [`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(JSON.stringify(body.example ?? {}, null, 2))}`]
      : []),
  ];
  return parts.join(' \\\n  ');
};
