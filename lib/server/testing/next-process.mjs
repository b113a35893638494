/** For tests: runs a stand-in for Next in a process of its own; see `scripts/serve-next.ts`. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  if (request.url === '/crash') process.exit(1);
  if (request.url === '/api/picky') {
    // Leaves the body as Next does when its route has not read it to the end.
    request.once('data', () => request.pause());
    response.writeHead(413).end('too large');
    return;
  }
  if (request.url === '/page') {
    response.setHeader('cache-control', 's-maxage=60');
    response.setHeader('content-type', 'text/html');
    response.end(`<p>${process.pid}</p>`);
    return;
  }
  if (request.url === '/api/pid') {
    response.end(String(process.pid));
    return;
  }
  if (request.url === '/api/late') {
    setTimeout(() => response.end(String(process.pid)), 3_000);
    return;
  }
  if (request.url === '/api/x/events') {
    response.setHeader('content-type', 'text/event-stream');
    response.write(`data: ${process.pid}\n\n`);
    return;
  }
  if (request.url === '/grow') process.send?.({ type: 'memory', rssBytes: 1e12 });
  if (request.url === '/change') process.send?.({ type: 'forget-pages', paths: ['/page'] });
  response.statusCode = request.url === '/api/odd' ? 418 : 200;
  response.setHeader('set-cookie', ['a=1', 'b=2']);
  response.setHeader('x-method', request.method ?? '');
  response.setHeader('x-forwarded', String(request.headers['x-forwarded-for']));
  response.setHeader('x-te', String(request.headers['transfer-encoding'] ?? ''));
  request.pipe(response);
});
process.once('disconnect', () => process.exit(0));
server.listen(process.argv[2], () => process.send?.({ type: 'ready' }));
