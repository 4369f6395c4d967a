import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** The baseline of what a server on Node can answer: the bytes of one file, whatever is asked. Its address is printed. */
const body = readFileSync(process.argv[2] ?? '');
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
