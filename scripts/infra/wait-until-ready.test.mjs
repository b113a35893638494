import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitUntilReady } from './wait-until-ready.mjs';

const dir = mkdtempSync(join(tmpdir(), 'seckill-ready-'));
const logFile = join(dir, 'web.log');
let answers;
let server;
let origin;
beforeEach(async () => {
  answers = [];
  server = createServer((_request, response) => {
    const [status, body] = answers[0];
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(logFile, { force: true });
});

it('[L1] waits for as long as something is missing, and can say what', async () => {
  const missing = (detail) => [
    503,
    { ready: false, redis: { ok: true }, executor: { ok: false, ...detail } },
  ];
  answers = [missing({ detail: 'no functions yet' }), missing({}), [200, { ready: true }]];
  let state = () => '';
  const said = [];
  const waiting = waitUntilReady({
    origin,
    logFile,
    isCancelled() {
      // The next answer comes once this one has been heard, however slow the machine is.
      const heard = state();
      if (heard.startsWith('waiting') && !said.includes(heard)) answers.shift();
      said.push(heard);
      return false;
    },
    wait(what) {
      state = what;
    },
  });
  await waiting;
  expect(new Set(said)).toEqual(
    new Set([
      'the web process does not answer yet',
      'waiting for executor: no functions yet',
      'waiting for executor',
    ]),
  );
});

it('[L1] while nobody answers it tells the last line of this run', async () => {
  writeFileSync(logFile, 'an older run\n');
  let rounds = 0;
  let state = () => '';
  await waitUntilReady({
    origin: 'http://127.0.0.1:9',
    logFile,
    logFrom: 13,
    isCancelled() {
      rounds += 1;
      return rounds > 2;
    },
    wait(what) {
      state = what;
    },
  });
  expect(state()).toBe('the web process does not answer yet');
  writeFileSync(logFile, 'an older run\nlistens soon\n');
  expect(state()).toBe('the web process does not answer yet; its log ends with: listens soon');
});
