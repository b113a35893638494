import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTask } from '@/lib/challenge/create-task';
import { triesOf } from '@/lib/challenge/pow/work';
import type { RuleState } from '@/lib/contract/words/risk';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { cacheRedis, closeRedis } from '@/lib/redis/client';
import { listHits } from '@/lib/risk/list-hits';
import { refreshRisk } from '@/lib/risk/watch-risk';
import { createLineSale } from '@/test/support/line-sale';
import { makeSale } from '@/test/support/make-sale';
import { solve } from '@/test/support/solve-challenge';
import { issueEntry } from '../entry/issue-entry';
import { offerChallenge } from '../entry/offer-challenge';
import { joinSaleLine } from '../line/join-sale-line';
import { evaluateNow, startRisk, stopRisk } from './evaluate-risk';
import { workOf } from './work-of';

const SHIPPED = ['work-light', 'work-usual', 'work-long', 'work-longest'];
const MONTH_MS = 30 * 86_400_000;

beforeEach(async () => {
  await db().riskHit.deleteMany();
  await switchRules('enabled');
  await startRisk();
  await refreshRisk();
});
afterAll(async () => {
  await switchRules('enabled');
  await stopRisk();
  await Promise.all([closeRedis(), closeDb()]);
});

async function switchRules(state: RuleState) {
  await db().riskRule.updateMany({ where: { id: { in: SHIPPED } }, data: { state } });
  await refreshRisk();
}

const newAddress = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`;
/** Somebody whose account was made a minute ago. */
const fresh = (more: { device?: string; address?: string } = {}) => ({
  userId: newId('user'),
  level: 0,
  createdAt: Date.now() - 60_000,
  emailVerifiedAt: null,
  hasSecondFactor: false,
  device: newId('device'),
  address: newAddress(),
  ...more,
});
/** Somebody who has been here for a month. */
const established = (more: { device?: string; address?: string } = {}) => ({
  ...fresh(more),
  createdAt: Date.now() - MONTH_MS,
  emailVerifiedAt: Date.now() - MONTH_MS,
});
const hitsOf = async (value: string) => (await listHits({ limit: 100 }, { value }))?.hits ?? [];

describe('[M9] work by score', () => {
  it('ships enabled: the rules are the grades, from 40 on', async () => {
    const rules = await db().riskRule.findMany({
      where: { id: { in: SHIPPED } },
      orderBy: { priority: 'asc' },
    });
    expect(rules.map(({ id, state }) => [id, state])).toEqual(SHIPPED.map((id) => [id, 'enabled']));
    const grades = rules.map(({ definition }) => {
      const { threshold, action } = definition as { threshold: number; action: { bits: number } };
      return [threshold, action.bits];
    });
    expect(grades).toEqual([
      [40, 8],
      [55, 10],
      [70, 12],
      [85, 15],
    ]);
  });

  it('asks more of each further account on a device, in the order in which they came, also if all come at once', async () => {
    const device = newId('device');
    const farm = Array.from({ length: 10 }, () => fresh({ device }));
    const bits = await Promise.all(farm.map((bot) => workOf('sale_test', bot)));
    expect(bits).toEqual([null, null, null, 8, 10, 12, 12, 15, 15, 15]);
    // Asking again makes no account another one.
    expect(await workOf('sale_test', farm[0] as (typeof farm)[number])).toBe(15);
    expect(await workOf('sale_test', established())).toBeNull();
  });

  it('asks more of new accounts behind one address, and nothing of their established neighbours', async () => {
    const address = newAddress();
    const bits: (number | null)[] = [];
    for (let n = 0; n < 105; n += 1) bits.push(await workOf('sale_test', fresh({ address })));
    expect(bits.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => null));
    expect(bits.slice(101)).toEqual([8, 8, 8, 8]);
    expect(await workOf('sale_test', established({ address }))).toBeNull();
  });

  it('lets a whole office of 200 established accounts behind one address in without work', async () => {
    const address = newAddress();
    const bits = await Promise.all(
      Array.from({ length: 200 }, () => workOf('sale_test', established({ address }))),
    );
    expect(bits.filter((each) => each !== null)).toEqual([]);
  });

  it('asks at entry and at joining, gives a calculation as hard as the grade, and takes its answer once', async () => {
    const { sale } = await makeSale({});
    const line = await createLineSale({});
    const device = newId('device');
    for (let n = 0; n < 5; n += 1) await workOf(sale.saleId, fresh({ device }));
    const bot = { ...fresh({ device }), userId: line.userIds[0] as string };
    const { address } = bot;
    expect(await issueEntry(sale.saleId, bot, { address })).toEqual({
      status: 'challenge_required',
      kind: 'pow',
    });
    expect(await joinSaleLine(line.saleId, bot, { address })).toEqual({
      status: 'challenge_required',
      kind: 'pow',
    });
    // A real calculation of this grade takes seconds; what counts here is that it is that long.
    const hard = await offerChallenge(sale.saleId, bot, createTask);
    if (hard.status !== 'offered' || hard.challenge.kind !== 'pow') throw new Error(hard.status);
    expect(hard.challenge.maxTries).toBe(triesOf(12) * 1.5);
    await switchRules('disabled');
    expect(await offerChallenge(sale.saleId, bot, createTask)).toEqual({ status: 'not_needed' });
    await switchRules('enabled');
    await db().riskRule.updateMany({
      where: { id: { in: SHIPPED.slice(1) } },
      data: { state: 'disabled' },
    });
    await refreshRisk();
    const offered = await offerChallenge(line.saleId, bot, createTask);
    if (offered.status !== 'offered') throw new Error(offered.status);
    const { challenge } = offered;
    const answer = {
      challengeId: challenge.challengeId,
      answer: await solve(challenge, { kind: 'pow' } as never),
    };
    expect(await joinSaleLine(line.saleId, bot, { address, answer })).toMatchObject({ status: 'joined' });
    const other = { ...fresh({ device }), userId: line.userIds[1] as string };
    expect(await joinSaleLine(line.saleId, other, { address, answer })).toMatchObject({
      status: 'challenge_failed',
    });
  });

  it('shows the merchant whom it hit and why, once an hour, by the hardest rule only', async () => {
    const device = newId('device');
    const farm = Array.from({ length: 6 }, () => fresh({ device }));
    for (const bot of [...farm, ...farm]) await workOf('sale_test', bot);
    await evaluateNow();
    const last = farm[5]?.userId ?? '';
    const hits = await hitsOf(last);
    expect(hits).toHaveLength(1);
    expect(hits[0]).toMatchObject({
      ruleId: 'work-long',
      action: { kind: 'work', bits: 12 },
      counters: {
        count: 70,
        threshold: 70,
        why: [
          { input: 'device_accounts', points: 50 },
          { input: 'account_new', points: 10 },
          { input: 'email_unverified', points: 5 },
          { input: 'device_new', points: 5 },
        ],
      },
      saleId: 'sale_test',
      isDryRun: false,
      expiresAt: null,
    });
  });

  it('only notes on a dry run, and neither counts nor notes while it is off', async () => {
    const device = newId('device');
    const farm = Array.from({ length: 6 }, () => fresh({ device }));
    const last = farm[5] as (typeof farm)[number];
    await switchRules('disabled');
    for (const bot of farm) expect(await workOf('sale_test', bot)).toBeNull();
    expect(await cacheRedis().keys(`risk:accounts:*${device}*`)).toEqual([]);
    await switchRules('dry_run');
    for (const bot of farm) expect(await workOf('sale_test', bot)).toBeNull();
    await evaluateNow();
    expect((await hitsOf(last.userId)).map(({ isDryRun }) => isDryRun)).toContain(true);
  });
});
