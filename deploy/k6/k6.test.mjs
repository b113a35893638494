import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, 'flash-sale.js');
const dir = mkdtempSync(join(tmpdir(), 'seckill-k6-'));
const tokensFile = join(dir, 'tokens.jsonl');
let text = '';

beforeAll(async () => {
  writeFileSync(
    tokensFile,
    ['a', 'b'].map((entryToken) => JSON.stringify({ userId: 'u', entryToken })).join('\n'),
  );
  const { outputFiles } = await build({
    entryPoints: [SCRIPT],
    bundle: true,
    write: false,
    format: 'cjs',
    external: ['k6', 'k6/*'],
  });
  text = outputFiles[0].text;
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the script on stand-ins for k6's modules. @param answers of the shop, one after the other */
function load(answers, env = {}) {
  const { readFileSync } = createRequire(import.meta.url)('node:fs');
  const said = {};
  const asked = [];
  const slept = [];
  const next = (method, url, params) => {
    asked.push({ method, url, headers: params?.headers });
    const { status, body = {} } = answers.shift();
    return { status, timings: { duration: 3 }, json: (name) => body[name] };
  };
  class Metric {
    constructor(name) {
      this.add = (value) => {
        said[name] = [...(said[name] ?? []), Number(value)];
      };
    }
  }
  class Shared {
    constructor(_name, make) {
      Object.assign(this, make(), { length: make().length });
    }
  }
  const modules = {
    k6: { sleep: (sec) => slept.push(sec) },
    'k6/data': { SharedArray: Shared },
    'k6/execution': { scenario: { iterationInTest: 0 } },
    'k6/http': {
      get: (url) => next('GET', url),
      post: (url, _body, params) => next('POST', url, params),
      setResponseCallback() {},
      expectedStatuses: (...statuses) => statuses,
    },
    'k6/metrics': { Counter: Metric, Rate: Metric, Trend: Metric },
  };
  const module = { exports: {} };
  runInNewContext(text, {
    module,
    exports: module.exports,
    require: (name) => modules[name],
    open: (path) => readFileSync(path, 'utf8'),
    __ENV: { SALE: 'sale_1', TOKENS: tokensFile, ...env },
  });
  return { script: module.exports, said, asked, slept };
}

const press = (...answers) => {
  const run = load(answers);
  run.script.default({ gate: 'g' });
  return run;
};

it('[L4] presses once for each token within the window, and has thresholds for failures and the 99th percentile', () => {
  const { script } = load([], { WINDOW_SEC: '5', P99_MS: '200' });
  const { presses } = script.options.scenarios;
  expect(presses).toMatchObject({
    executor: 'constant-arrival-rate',
    rate: 2,
    timeUnit: '5s',
    duration: '10s',
  });
  expect(script.options.thresholds).toMatchObject({
    seckill_pressed: ['count==2'],
    seckill_failed: ['rate==0'],
    seckill_first_answer: ['p(99)<200'],
  });
});

it('[L4] waits for the gate, which is told when the sale is open', () => {
  const { script, slept } = load([
    { status: 200, body: { gate: null } },
    { status: 200, body: { gate: 'g' } },
  ]);
  expect(script.setup()).toEqual({ gate: 'g' });
  expect(slept).toEqual([0.2]);
  expect(() => load([{ status: 404 }]).script.setup()).toThrow('there is no sale sale_1');
});

it('[L4] accepted and sold out are good ends; each goes with its token to the gate', () => {
  const { said, asked } = press({ status: 202, body: { orderNo: '1' } });
  expect(said).toMatchObject({ seckill_accepted: [1], seckill_failed: [0], seckill_first_answer: [3] });
  expect(asked).toEqual([
    {
      method: 'POST',
      url: 'http://127.0.0.1:3000/api/sales/sale_1/purchase/g',
      headers: { 'X-Entry-Token': 'a' },
    },
  ]);
  expect(press({ status: 409, body: { code: 'SOLD_OUT' } }).said).toMatchObject({
    seckill_sold_out: [1],
    seckill_failed: [0],
  });
});

it('[L4] who is told to wait asks again with the same token, as long as the shop says', () => {
  const { said, asked, slept } = press(
    { status: 429, body: { code: 'RATE_LIMITED', retryAfterMs: 2_000 } },
    { status: 503, body: { code: 'BUSY' } },
    { status: 202 },
  );
  expect(said).toMatchObject({ seckill_told_to_wait: [1, 1], seckill_accepted: [1], seckill_failed: [0] });
  expect(new Set(asked.map(({ headers }) => headers['X-Entry-Token']))).toEqual(new Set(['a']));
  expect(slept[0]).toBeGreaterThanOrEqual(2);
  expect(slept[0]).toBeLessThan(2.3);
  expect(slept[1]).toBeGreaterThanOrEqual(1);
});

it('[L4] anything else is a failure: refused tokens at once, waits without an end after eight tries', () => {
  for (const [status, code] of [
    [401, 'ENTRY_TOKEN_INVALID'],
    [409, 'LIMIT_REACHED'],
    [500, 'INTERNAL'],
  ])
    expect(press({ status, body: { code } }).said).toMatchObject({ seckill_failed: [1] });
  const { said, asked } = press(...Array(8).fill({ status: 503 }));
  expect(asked).toHaveLength(8);
  expect(said).toMatchObject({ seckill_failed: [1] });
});

it('[L4] says what it was not told', () => {
  expect(() => load([], { SALE: '' })).toThrow('say which sale');
  expect(() => load([], { WINDOW_SEC: '0' })).toThrow('WINDOW_SEC must be a number above 0');
});
