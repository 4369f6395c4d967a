import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** The baseline for requests: a Node server that answers every request with the bytes of one file. Prints its URL. */
const body = readFileSync(process.argv[2] ?? '');
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
