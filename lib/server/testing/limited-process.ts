/**
 * For tests: runs the fast path in a process of its own, with given limits; tells how many connections it has and has
 * had.
 */
import { env } from '@/lib/env';
import { outlastStandstills } from '@/test/support/outlast-standstills';
import { createWebServer } from '../create-server';

outlastStandstills();

/** Next's answer in this test: larger than the kernel's buffers. */
const PAGE = Buffer.alloc(8 * 1024 * 1024, 'x');

const { server } = createWebServer({
  next: async (request, response) => {
    if (request.url === '/never') await new Promise(() => {});
    if (request.url !== '/page') request.resume();
    response.end(request.url === '/page' ? PAGE : 'next');
  },
  hasFastPath: true,
  commonHeaders: [],
  limits: JSON.parse(process.argv[2] ?? '{}'),
});
let accepted = 0;
server.on('connection', () => {
  accepted += 1;
});
process.on('message', () => server.getConnections((_, open) => process.send?.({ open, accepted })));
process.on('SIGTERM', () => process.exit(0));
server.listen({ port: env().port, host: '127.0.0.1', backlog: 4_096 }, () => process.send?.('ready'));
