/**
 * A flash sale's first moment, for k6 (https://k6.io): everybody of a file of entry tokens presses once within a window, as the
 * shop's own page would, and asks again with the same token when told to wait. docs/LOAD-TEST.md says how to use it.
 *
 *   npm run loadtest:tokens -- --sale SALE_ID --users 10000 --out tokens.jsonl
 *   k6 run -e SALE=SALE_ID -e TOKENS=tokens.jsonl -e BASE_URL=http://127.0.0.1:3000 deploy/k6/flash-sale.js
 *
 * SALE, TOKENS: needed. BASE_URL: http://127.0.0.1:3000. WINDOW_SEC: everybody presses within so many seconds, evenly (1).
 * P99_MS: 99 of 100 must have their first answer within (500). VUS: how many may wait for an answer at the same time (1000).
 */
import { sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Rate, Trend } from 'k6/metrics';

const { SALE, TOKENS, BASE_URL = 'http://127.0.0.1:3000' } = __ENV;
const windowSec = positive('WINDOW_SEC', 1);
const p99Ms = positive('P99_MS', 500);
const vus = positive('VUS', 1000);
if (!SALE || !TOKENS)
  throw new Error('say which sale and which tokens: -e SALE=sale_… -e TOKENS=tokens.jsonl');

/** How often somebody asks again who was told to wait, and the longest such wait. */
const TRIES = 8;
const LONGEST_WAIT_SEC = 10;
const FIRST_WAIT_SEC = 0.5;
/** How much longer than the window k6 goes on sending those that are late. */
const LATE_SEC = 5;
/** How long the run waits for the sale to open. */
const OPENS_WITHIN_SEC = 3600;

const tokens = new SharedArray('tokens', () =>
  open(TOKENS)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).entryToken),
);

const pressed = new Counter('seckill_pressed');
const accepted = new Counter('seckill_accepted');
const soldOut = new Counter('seckill_sold_out');
const toldToWait = new Counter('seckill_told_to_wait');
const failed = new Rate('seckill_failed');
const firstAnswer = new Trend('seckill_first_answer', true);
const finalAnswer = new Trend('seckill_final_answer', true);

export const options = {
  setupTimeout: `${OPENS_WITHIN_SEC + 60}s`,
  discardResponseBodies: false,
  scenarios: {
    presses: {
      executor: 'constant-arrival-rate',
      rate: tokens.length,
      timeUnit: `${windowSec}s`,
      // k6 may be late with the last ones: nobody presses twice, and nobody is left out.
      duration: `${windowSec + LATE_SEC}s`,
      preAllocatedVUs: Math.min(tokens.length, vus),
      gracefulStop: '60s',
    },
  },
  thresholds: {
    seckill_pressed: [`count==${tokens.length}`],
    seckill_failed: ['rate==0'],
    seckill_first_answer: [`p(99)<${p99Ms}`],
    // Presses that k6 could not send in time, since all VUs waited: then k6, not the shop, was measured.
    dropped_iterations: ['count==0'],
  },
};

// "Sold out" and "come again" are answers, not failures.
http.setResponseCallback(http.expectedStatuses(200, 202, 409, 429, 503));

/** Waits until the sale is open: only then is its gate, part of the address, told. */
export function setup() {
  for (let waitedSec = 0; waitedSec < OPENS_WITHIN_SEC; waitedSec += 0.2) {
    const state = http.get(`${BASE_URL}/api/sales/${SALE}/state`);
    const gate = state.status === 200 ? state.json('gate') : null;
    if (gate) return { gate };
    if (state.status === 404) throw new Error(`there is no sale ${SALE} at ${BASE_URL}`);
    sleep(0.2);
  }
  throw new Error('the sale did not open within an hour');
}

export default function press({ gate }) {
  const token = tokens[exec.scenario.iterationInTest];
  if (token === undefined) return;
  pressed.add(1);
  const from = Date.now();
  for (let tries = 1; ; tries += 1) {
    const answer = http.post(`${BASE_URL}/api/sales/${SALE}/purchase/${gate}`, null, {
      headers: { 'X-Entry-Token': token },
      tags: { name: 'purchase' },
    });
    if (tries === 1) firstAnswer.add(answer.timings.duration);
    const outcome = judge(answer);
    if (outcome === 'wait' && tries < TRIES) {
      toldToWait.add(1);
      sleep(waitSec(answer, tries));
      continue;
    }
    finalAnswer.add(Date.now() - from);
    if (outcome === 'accepted') accepted.add(1);
    if (outcome === 'sold out') soldOut.add(1);
    failed.add(outcome !== 'accepted' && outcome !== 'sold out', { code: codeOf(answer) });
    return;
  }
}

/** What an answer means to the shopper. */
function judge(answer) {
  if (answer.status === 202) return 'accepted';
  if (answer.status === 409 && codeOf(answer) === 'SOLD_OUT') return 'sold out';
  return answer.status === 429 || answer.status === 503 || answer.status === 0 ? 'wait' : 'failed';
}

/** The shop says how long; without that each wait is twice the last. Nobody comes back in the same moment as the others. */
function waitSec(answer, tries) {
  const saidMs = Number(fieldOf(answer, 'retryAfterMs'));
  const sec = saidMs > 0 ? saidMs / 1000 : FIRST_WAIT_SEC * 2 ** (tries - 1);
  return Math.min(sec, LONGEST_WAIT_SEC) * (1 + 0.1 * Math.random());
}

const codeOf = (answer) => String(fieldOf(answer, 'code') ?? answer.status);

function fieldOf(answer, name) {
  try {
    return answer.json(name);
  } catch {
    return undefined;
  }
}

function positive(name, usual) {
  const value = Number(__ENV[name] ?? usual);
  if (!(value > 0 && value <= 1e6)) throw new Error(`${name} must be a number above 0, not ${__ENV[name]}`);
  return value;
}
