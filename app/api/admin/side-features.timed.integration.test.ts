import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newRule } from '@/lib/contract/shapes/risk';
import type { SideFeature } from '@/lib/contract/words/side-feature';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { putMessage } from '@/lib/outbox/put-message';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { channels } from '@/lib/redis/keys';
import { createRule } from '@/lib/risk/create-rule';
import { evaluateNow, startRisk, stopRisk } from '@/lib/risk/evaluate-risk';
import { noteRisk } from '@/lib/risk/noted';
import { refreshRisk } from '@/lib/risk/watch-risk';
import { readEvents } from '@/lib/server/testing/event-reader';
import { type FastPathProcess, startFastPath } from '@/lib/server/testing/start-fast-path';
import { isOn, stopWatchingSwitchboard, watchSwitchboard } from '@/lib/switchboard/is-on';
import { bestOf } from '@/test/support/best-of';
import { sessionOf } from '@/test/support/call-as';
import { eventually } from '@/test/support/eventually';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { type SideFeaturesProcess, startSideFeatures } from '@/test/support/start-side-features';
import { switchboardOf } from '@/test/support/switchboard';

/** In force everywhere within this time. */
const WITHIN_MS = 1_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let web: FastPathProcess;
/** Does what Next's process and a worker do. */
let other: SideFeaturesProcess;
const sessions = {} as Record<'operator' | 'merchant' | 'shopper', string>;
const sales = {} as Record<'plain' | 'slider', Awaited<ReturnType<typeof makeSale>>['sale']>;
const { find, set, setAll } = switchboardOf(() => sessions.operator);

beforeAll(async () => {
  await watchSwitchboard();
  await startRisk();
  for (const role of ['operator', 'merchant', 'shopper'] as const)
    sessions[role] = await sessionOf((await makeUser(role)).userId);
  sales.plain = (await makeSale({ totalStock: 1_000 })).sale;
  sales.slider = (await makeSale({ challenge: 'slider' })).sale;
  web = await startFastPath({ env: { SHED_ABOVE: 'off' } });
  other = await startSideFeatures();
});
afterAll(async () => {
  other?.stop();
  await web?.stop();
  await stopRisk();
  stopWatchingSwitchboard();
  await Promise.all([closeRedis(), closeDb()]);
});

/** Switches a feature off and on again; each time waits until the other process does as told. @returns the longer wait, ms */
async function flip(feature: SideFeature, isWorking: () => Promise<boolean>): Promise<number> {
  expect(await isWorking()).toBe(true);
  const waits: number[] = [];
  for (const mode of ['off', 'on'] as const) {
    const from = performance.now();
    await set(feature, mode);
    await eventually(async () => expect(await isWorking()).toBe(mode === 'on'), 10);
    waits.push(performance.now() - from);
  }
  return Math.max(...waits);
}

const isAnswered = (path: string, session: keyof typeof sessions) => async () => {
  const answer = await other.ask(path, sessions[session]);
  if (answer.status === 200) return true;
  expect(answer).toMatchObject({ status: 503, code: 'SWITCHED_OFF' });
  expect(answer.retryAfter).toBeGreaterThanOrEqual(15);
  return false;
};

const kindOffered = async () => {
  const session = await sessionOf((await makeUser()).userId);
  return (await other.ask(`/challenge?saleId=${sales.slider.saleId}`, session, 'POST')).kind;
};

describe('each switch has effect in another process within a second', () => {
  it('[J6] search: lists without it go on', async () => {
    const list = isAnswered('/orders?status=paid', 'operator');
    const search = isAnswered('/orders?user=somebody%40example.com', 'operator');
    const both = async () => {
      expect(await list()).toBe(true);
      return search();
    };
    expect(await bestOf(WITHIN_MS, () => flip('search', both))).toBeLessThan(WITHIN_MS);
    expect((await other.ask('/orders?orderNo=1024', sessions.operator)).status).toBe(200);
  });

  it('[J6] why', async () => {
    const isWorking = isAnswered(`/why?saleId=${sales.plain.saleId}`, 'shopper');
    expect(await bestOf(WITHIN_MS, () => flip('why', isWorking))).toBeLessThan(WITHIN_MS);
  });

  it('[J6] the live view: state, stock and what acts on them go on', async () => {
    const { saleId } = sales.plain;
    const isWorking = isAnswered(`/live?saleId=${saleId}`, 'operator');
    expect(await bestOf(WITHIN_MS, () => flip('live', isWorking))).toBeLessThan(WITHIN_MS);
    await set('live', 'off');
    await eventually(async () => expect(await isWorking()).toBe(false));
    expect(await other.ask(`/situation?saleId=${saleId}`, sessions.operator)).toMatchObject({
      status: 200,
      sale: { saleId },
      stock: { total: 1_000 },
    });
    expect((await other.ask(`/situation?saleId=${saleId}`, sessions.merchant)).code).toBe('SALE_NOT_FOUND');
    await set('live', 'on');
  });

  it('[J6] streams: new ones are refused, open ones end with a hint when to come back', async () => {
    const { saleId } = sales.plain;
    const port = Number(new URL(web.origin).port);
    const open = await Promise.all(Array.from({ length: 8 }, () => readEvents(port, saleId)));
    const stream = async () => {
      const stop = new AbortController();
      const answer = await fetch(`${web.origin}/api/sales/${saleId}/events`, { signal: stop.signal });
      const body = answer.status === 503 ? ((await answer.json()) as { code: string }) : null;
      stop.abort();
      return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), ...body };
    };
    const isWorking = async () => (await stream()).status === 200;
    expect(await bestOf(WITHIN_MS, () => flip('streams', isWorking))).toBeLessThan(WITHIN_MS);
    await set('streams', 'off');
    const from = performance.now();
    const ends = await Promise.all(open.map(({ ended }) => ended.then(() => performance.now() - from)));
    expect(Math.max(...ends)).toBeLessThan(13_000);
    for (const reader of open) {
      const hints = [...reader.text().matchAll(/^retry: (\d+)$/gm)].map(([, ms]) => Number(ms));
      expect(hints.at(-1)).toBeGreaterThanOrEqual(15_000);
    }
    expect(new Set(ends.map((ms) => Math.round(ms / 1_000))).size).toBeGreaterThan(1);
    expect(await stream()).toMatchObject({ status: 503, code: 'SWITCHED_OFF', feature: 'streams' });
    await set('streams', 'on');
  });

  it('[J6] notices: they wait and are delivered afterwards, with no attempt lost', async () => {
    const { orderNo } = await createOrderFixture();
    const put = async () => {
      const key = newId('key');
      await putMessage(db(), 'in-app', { orderNo, kind: 'order_paid', key });
      return key;
    };
    const isThere = async (key: string) =>
      (await db().notification.count({ where: { messageId: key } })) === 1;
    const untilThere = (key: string) => eventually(async () => expect(await isThere(key)).toBe(true), 20);
    await untilThere(await put());
    await set('notices', 'off');
    await pause(WITHIN_MS);
    const waiting = await put();
    await pause(700);
    expect(await isThere(waiting)).toBe(false);
    await set('notices', 'on');
    await untilThere(waiting);
    const [message] = await db().$queryRaw<{ attempts: number }[]>`
      SELECT attempts FROM outgoing_messages WHERE payload->>'key' = ${waiting}`;
    expect(message?.attempts).toBe(1);
  });

  it('[J6] reminders: they come later, while the order can be paid; notices hold them too', async () => {
    const dueOrder = async () => {
      const { orderNo } = await createOrderFixture();
      await db().$executeRaw`
        UPDATE orders SET pay_by = now() + interval '90 seconds', created_at = now() - interval '600 seconds'
        WHERE id = ${BigInt(orderNo)}`;
      return orderNo;
    };
    const isReminded = async (orderNo: string) =>
      (await db().order.count({ where: { id: BigInt(orderNo), remindedAt: { not: null } } })) === 1;
    const untilReminded = (orderNo: string) =>
      eventually(async () => expect(await isReminded(orderNo)).toBe(true), 20);
    await untilReminded(await dueOrder());
    for (const feature of ['reminders', 'notices'] as const) {
      await set(feature, 'off');
      await pause(WITHIN_MS);
      const orderNo = await dueOrder();
      await pause(400);
      expect(await isReminded(orderNo)).toBe(false);
      await set(feature, 'on');
      await untilReminded(orderNo);
    }
  });

  it('[J6] challenges, kind by kind: another takes the place of one that is off', async () => {
    expect(await kindOffered()).toBe('slider');
    for (const [feature, next] of [
      ['challenge_slider', 'arithmetic'],
      ['challenge_arithmetic', 'pow'],
      ['challenge_pow', 'sound'],
      ['challenge_sound', undefined],
    ] as const) {
      const from = performance.now();
      await set(feature, 'off');
      await eventually(async () => expect(await kindOffered()).toBe(next), 10);
      expect(performance.now() - from).toBeLessThan(5 * WITHIN_MS);
    }
    // None is left: entry goes on without.
    const session = await sessionOf((await makeUser()).userId);
    expect(await other.ask(`/entry?saleId=${sales.slider.saleId}`, session, 'POST')).toMatchObject({
      status: 200,
    });
    for (const kind of ['slider', 'arithmetic', 'sound', 'pow'] as const)
      await set(`challenge_${kind}`, 'on');
    await eventually(async () => expect(await kindOffered()).toBe('slider'));
    expect(await other.ask(`/entry?saleId=${sales.slider.saleId}`, session, 'POST')).toMatchObject({
      code: 'CHALLENGE_REQUIRED',
    });
  });

  it('[J6] risk rules: nothing is counted, and nobody is challenged', async () => {
    const definition = {
      metric: 'purchase_requests',
      subject: 'user',
      windowSec: 60,
      comparison: 'above',
      threshold: 2,
      action: { kind: 'challenge', forSec: 600 },
    };
    await createRule(newRule.parse({ name: 'Test', definition, state: 'enabled' }), 'user_admin');
    await refreshRisk();
    const { saleId } = sales.plain;
    const hammer = async () => {
      const { userId } = await makeUser();
      for (let n = 0; n < 4; n += 1)
        noteRisk('purchase_requests', { user: userId, ip: '', device: '' }, saleId);
      await evaluateNow();
      return userId;
    };
    const hits = (userId: string) => db().riskHit.count({ where: { value: userId } });
    const userId = await hammer();
    expect(await hits(userId)).toBe(1);
    const session = await sessionOf(userId);
    // True while the rules are in force.
    const isWorking = async () =>
      (await other.ask(`/entry?saleId=${saleId}`, session, 'POST')).code === 'CHALLENGE_REQUIRED';
    await eventually(async () => expect(await isWorking()).toBe(true));
    expect(await bestOf(WITHIN_MS, () => flip('risk', isWorking))).toBeLessThan(WITHIN_MS);
    await set('risk', 'off');
    expect(await hits(await hammer())).toBe(0);
    await set('risk', 'on');
    expect(await hits(await hammer())).toBe(1);
  });

  it('[J6] also if no message tells of the change', async () => {
    const isWorking = isAnswered(`/why?saleId=${sales.plain.saleId}`, 'shopper');
    const measure = async () => {
      const from = performance.now();
      await db().$executeRaw`
        UPDATE side_features SET mode = 'off', version = version + 1, change = nextval('side_features_change_seq')
        WHERE feature = 'why'`;
      await eventually(async () => expect(await isWorking()).toBe(false), 10);
      const tookMs = performance.now() - from;
      await eventually(() => expect(isOn('why')).toBe(false));
      await set('why', 'on');
      await eventually(async () => expect(await isWorking()).toBe(true));
      return tookMs;
    };
    expect(await bestOf(WITHIN_MS, measure)).toBeLessThan(WITHIN_MS);
  });

  it('[J6] load switches off in another process too, and what somebody wants on stays on', async () => {
    await setAll({ why: 'on' });
    const why = isAnswered(`/why?saleId=${sales.plain.saleId}`, 'shopper');
    const search = isAnswered('/orders?user=x', 'operator');
    const now = Date.now();
    const busy = JSON.stringify({ process: 'test', busy: 0.91, taken: [now - 2_000, now - 1_000] });
    for (const nonsense of [
      '',
      '{',
      '[]',
      '{"process":"x"}',
      'x'.repeat(10_000),
      '{"process":"y","busy":9,"taken":[]}',
    ])
      await stockRedis().publish(channels.load, nonsense);
    expect(await search()).toBe(true);
    const from = performance.now();
    await stockRedis().publish(channels.load, busy);
    await eventually(async () => expect(await search()).toBe(false), 10);
    expect(performance.now() - from).toBeLessThan(WITHIN_MS);
    expect(await why()).toBe(true);
    await eventually(() => expect(isOn('search')).toBe(false));
    expect(await find('search')).toMatchObject({ isOn: false, offBy: 'load', since: now - 2_000 });
    // Three seconds after the last word of a process its load counts no more.
    await eventually(async () => expect(await search()).toBe(true), 100);
  });
});
