import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { runClosedLoop } from './closed-loop';
import { evenSchedule, runOpenLoop } from './open-loop';

const stops: (() => unknown)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  stops.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return address && typeof address === 'object' ? address.port : 0;
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const STALL_MS = 300;
const requests = (count: number) => Array.from({ length: count }, () => REQUEST);

/** Starts a server that stops answering for a while from its 20th request on. */
function stallingServer(): Promise<number> {
  let seen = 0;
  let free = Promise.resolve();
  return serve((_request, response) => {
    seen += 1;
    if (seen === 20) free = new Promise((resolve) => setTimeout(resolve, STALL_MS));
    void free.then(() => response.end('ok'));
  });
}

describe('the open loop', () => {
  it('[E10] spreads its requests evenly over the window, the first at once', () => {
    expect([...evenSchedule(4, 1_000)]).toEqual([0, 250, 500, 750]);
    expect(evenSchedule(0, 1_000)).toHaveLength(0);
  });

  it('[E10] shows a stall of the server to every request that was due meanwhile', async () => {
    // With two connections, most requests of the stall can't even be sent before it ends.
    const open = { connections: 2, requests: requests(200), windowMs: 600 };
    const stalled = await runOpenLoop({ port: await stallingServer(), ...open });
    expect(stalled.answers).toEqual({ 200: 200 });
    expect(stalled.unanswered).toBe(0);
    expect(stalled.latencyMs.p99).toBeGreaterThan(STALL_MS * 0.8);

    // A closed loop just asks less during the stall: all but two of its replies never see it. So many replies that a
    // busy machine may stand still a few times, too.
    const closed = { connections: 2, requests: requests(2_000), isCyclic: false, seconds: 50 };
    const { latencyMs } = await runClosedLoop({ port: await stallingServer(), ...closed });
    expect(latencyMs.max).toBeGreaterThan(STALL_MS * 0.8);
    expect(latencyMs.p99).toBeLessThan(STALL_MS * 0.8);
  });

  it('[E10] loses no answer when the server closes connections that are idle', async () => {
    const port = await serve((_request, response) => {
      setTimeout(() => response.end('ok'), 60);
      response.on('finish', () => setTimeout(() => response.socket?.destroy(), 5));
    });
    const load = await runOpenLoop({
      port,
      connections: 6,
      requests: requests(60),
      windowMs: 900,
    });
    expect([load.sent, load.unanswered]).toEqual([60, 0]);
    expect((load.answers[200] ?? 0) + (load.answers[0] ?? 0)).toBe(60);
  });

  it('[E10] counts a connection that breaks as no answer, and goes on', async () => {
    let seen = 0;
    const port = await serve((request, response) => {
      seen += 1;
      if (seen === 5) request.socket.destroy();
      else response.end('ok');
    });
    const load = { port, connections: 1, requests: requests(20), windowMs: 50 };
    expect((await runOpenLoop(load)).answers).toEqual({ 0: 1, 200: 19 });
  });
});

describe('the closed loop', () => {
  it('[E10] sends every request once, however many connections share them', async () => {
    const paths: string[] = [];
    const port = await serve((request, response) => {
      paths.push(request.url ?? '');
      response.statusCode = 202;
      response.end('{}');
    });
    const own = Array.from(
      { length: 300 },
      (_, i) => `POST /${i} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`,
    );
    const result = await runClosedLoop({
      port,
      connections: 8,
      requests: own,
      isCyclic: false,
      seconds: 3_600,
    });
    expect(result.answers).toEqual({ 202: 300 });
    expect(new Set(paths).size).toBe(300);
  });

  it('[E10] ends when its time is over, with nothing left in flight', async () => {
    const port = await serve((_request, response) => void response.end('ok'));
    const load = { port, connections: 4, requests: [REQUEST], isCyclic: true, seconds: 0.2 };
    const { sent, answers, unanswered } = await runClosedLoop(load);
    expect(unanswered).toBe(0);
    expect(answers[200]).toBe(sent);
    // Each connection began at once; how often it came again depends on the machine.
    expect(sent).toBeGreaterThanOrEqual(4);
  });
});
