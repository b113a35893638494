import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import { issueEntry } from '@/lib/admission/issue-entry';
import { blockSubjects } from '@/lib/block/block-subjects';
import { findBlock } from '@/lib/block/find-block';
import { stopWatchingBlocks, watchBlocks } from '@/lib/block/watch-blocks';
import { newRule, type RuleDefinition } from '@/lib/contract/shapes/risk';
import { SALE_STRATEGIES } from '@/lib/contract/words/sale';
import { closeDb, db } from '@/lib/db/client';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { purchase } from '@/lib/purchase/purchase';
import { decided } from '@/lib/purchase/testing/decided';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { forge } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { flushRefusals, noteRefusal } from '@/lib/refusal/note-refusal';
import { createRule } from '@/lib/risk/create-rule';
import { evaluateNow, startRisk, stopRisk } from '@/lib/risk/evaluate-risk';
import { refreshRisk } from '@/lib/risk/watch-risk';
import { setSalePaused } from '@/lib/sale/admin/pause-sale';
import { createOrders } from '@/lib/settlement/create-orders';
import { explainAttempts } from '@/lib/why/explain-attempts';
import { eventually } from '@/test/support/eventually';
import { makeSale, makeUser } from '@/test/support/make-sale';
import { reservable } from '@/test/support/reservable';
import { countTaken } from './count-taken';
import { traceShopper } from './trace-shopper';

const support: Actor = { userId: 'user_support', role: 'support' };

beforeAll(async () => {
  await watchBlocks();
  await startRisk();
});
afterAll(async () => {
  await stopRisk();
  stopWatchingBlocks();
  await Promise.all([closeRedis(), closeDb()]);
});

async function buy(saleId: string, userId: string, { gate = '', body = '' } = {}) {
  const sale = await db().sale.findUniqueOrThrow({ where: { id: saleId } });
  const entryToken = signEntryToken({
    saleId,
    userId,
    level: 0,
    device: '',
    jti: newId('jti'),
    expiresAt: Date.now() + 600_000,
  });
  const reply = await purchase({ saleId, gate: gate || sale.gate, entryToken, body });
  const answer = await decided({ saleId, epoch: sale.epoch }, userId, reply);
  return { status: answer.http, code: answer.code as string | undefined, orderNo: answer.orderNo as string };
}

async function trace(saleId: string, user: string, actor: Actor = support) {
  await flushRefusals();
  const result = await traceShopper(actor, saleId, user);
  if (result.status !== 'traced') throw new Error(result.status);
  return result.trace;
}

/** Returns the codes of the refusals and how often each was given; `bought` for a purchase. */
async function told(saleId: string, userId: string) {
  const { attempts } = await trace(saleId, userId);
  return attempts.map((attempt) =>
    attempt.outcome === 'accepted' ? 'bought' : `${attempt.place} ${attempt.code} ×${attempt.times}`,
  );
}

async function addRule(definition: Partial<RuleDefinition>) {
  const rule = {
    metric: 'purchase_requests',
    subject: 'user',
    windowSec: 60,
    comparison: 'above',
    threshold: 1,
    ...definition,
  };
  const created = await createRule(
    newRule.parse({ name: 'Test', definition: rule, state: 'enabled' }),
    'user_admin',
  );
  if (!created) throw new Error('no room');
  await refreshRisk();
  return created.ruleId;
}

async function dropRule(ruleId: string) {
  await db().riskHit.deleteMany({ where: { ruleId } });
  await db().riskRule.delete({ where: { id: ruleId } });
  await refreshRisk();
}

describe('why somebody did not get it', () => {
  it.each(SALE_STRATEGIES)(
    '[J5] by %s: sold out, with the clock, what was left and what had gone',
    async (strategy) => {
      const { sale, merchant } = await makeSale({ totalStock: 2, strategy });
      const { saleId, startsAt } = sale;
      const [winner, other, loser] = await Promise.all([makeUser(), makeUser(), makeUser()]);
      for (const { userId } of [winner, other]) {
        expect((await buy(saleId, userId)).status).toBe(202);
        // Purchases of one millisecond count as gone for both.
        await delay(2);
      }
      const from = Date.now();
      for (let n = 0; n < 3; n += 1) expect((await buy(saleId, loser.userId)).code).toBe('SOLD_OUT');
      await drainOutbox(saleId);

      const { attempts, risk, user, lost, sale: about } = await trace(saleId, loser.userId, merchant);
      expect(attempts).toEqual([
        expect.objectContaining({
          outcome: 'refused',
          place: 'purchase',
          code: 'SOLD_OUT',
          times: 3,
          available: 0,
        }),
      ]);
      const [attempt] = attempts;
      expect(attempt?.at).toBeGreaterThanOrEqual(from);
      expect(attempt?.afterStartMs).toBe((attempt?.at ?? 0) - startsAt);
      expect(attempt?.taken).toMatchObject({ orders: 2, units: 2 });
      expect(attempt?.taken.lastAt).toBeLessThanOrEqual((attempt?.at ?? 0) + 50);
      expect({ risk, lost, about }).toMatchObject({
        risk: 'none',
        lost: 0,
        about: { saleId, totalStock: 2, startsAt },
      });
      expect(user.email).toBe(`${loser.userId}@example.com`);

      const [won] = (await trace(saleId, winner.userId)).attempts;
      expect(won).toMatchObject({
        outcome: 'accepted',
        status: 'pending_payment',
        quantity: 1,
        taken: { orders: 1 },
      });
      expect(won?.enteredAt).toBeGreaterThan(0);

      const own = await explainAttempts(saleId, loser.userId);
      expect(own).toMatchObject({ saleId, startsAt, totalStock: 2, isComplete: true });
      expect(own?.attempts).toMatchObject([{ outcome: 'refused', code: 'SOLD_OUT', times: 3, available: 0 }]);
      expect(own?.soldOutAt).toBeGreaterThanOrEqual(startsAt);
      expect(own?.soldOutAt).toBeLessThanOrEqual((attempt?.at ?? 0) + 50);
    },
  );

  it('[J5 M5] each refusal of the purchase by its own name', async () => {
    const { sale, merchant } = await makeSale({ totalStock: 50 });
    const { saleId } = sale;
    const { userId } = await makeUser();
    await buy(saleId, userId, { body: '{' });
    await buy(saleId, userId, { body: '{"quantity":0}' });
    await buy(saleId, userId, { gate: 'guessed' });
    await setSalePaused(merchant, saleId, true);
    await eventually(async () => expect((await buy(saleId, userId)).code).toBe('PAUSED'));
    expect((await told(saleId, userId)).map((line) => line.replace(/ ×.*/, ''))).toEqual(
      expect.arrayContaining(
        ['MALFORMED', 'INVALID_QUANTITY', 'GATE_INVALID', 'PAUSED'].map((code) => `purchase ${code}`),
      ),
    );

    const early = await makeSale({ startsAt: Date.now() + 600_000 });
    await buy(early.sale.saleId, userId);
    expect(await told(early.sale.saleId, userId)).toEqual(['purchase NOT_STARTED ×1']);
    expect((await trace(early.sale.saleId, userId)).attempts[0]?.afterStartMs).toBeLessThan(0);

    const { saleId: reserved } = await reservable({ startsIn: -1_000, closesIn: -1_500, opensIn: -5_000 });
    await buy(reserved, userId);
    expect(await told(reserved, userId)).toEqual(['purchase NOT_RESERVED ×1']);
  });

  it('[J5 M5] who has bought as many as allowed sees both: the purchase and the refusal', async () => {
    const { sale } = await makeSale();
    const { userId } = await makeUser();
    const { orderNo } = await buy(sale.saleId, userId);
    expect((await buy(sale.saleId, userId)).code).toBe('LIMIT_REACHED');
    // The order is not written yet, so the purchase comes from Redis.
    expect((await trace(sale.saleId, userId)).attempts).toContainEqual(
      expect.objectContaining({ status: 'queued', orderNo }),
    );
    expect((await told(sale.saleId, userId)).sort()).toEqual(['bought', 'purchase LIMIT_REACHED ×1']);
    await drainOutbox(sale.saleId);
    const { attempts } = await trace(sale.saleId, userId);
    expect(attempts).toHaveLength(2);
    expect(attempts.find(({ outcome }) => outcome === 'accepted')).toMatchObject({
      status: 'pending_payment',
    });
  });

  it('[G1 J5] who came too often: the sale’s limit is no matter of risk', async () => {
    const limits = { user: { algorithm: 'sliding-window', limit: 1, windowSec: 86_400 } };
    const { sale } = await makeSale({ limits });
    const { userId } = await makeUser();
    await buy(sale.saleId, userId, { gate: 'guessed' });
    await buy(sale.saleId, userId);
    expect((await buy(sale.saleId, userId)).code).toBe('RATE_LIMITED');
    const { attempts, risk } = await trace(sale.saleId, userId);
    expect(attempts).toContainEqual(expect.objectContaining({ code: 'RATE_LIMITED', risk: 'none' }));
    expect(risk).toBe('none');
  });

  it('[G10 J5 M5] whom a risk rule has limited, blocked or challenged: the class, and not the rule', async () => {
    const { sale } = await makeSale({ totalStock: 50, limitPerUser: 50 });
    const { saleId } = sale;
    const [limited, blocked, challenged] = await Promise.all([makeUser(), makeUser(), makeUser()]);
    const limit = await addRule({ action: { kind: 'limit', perMinute: 1, forSec: 600 } });
    await eventually(async () => {
      const { code } = await buy(saleId, limited.userId);
      await evaluateNow();
      expect(code).toBe('RATE_LIMITED');
    });
    await dropRule(limit);
    const challenge = await addRule({ action: { kind: 'challenge', forSec: 600 } });
    await eventually(async () => {
      await buy(saleId, challenged.userId);
      await evaluateNow();
      expect(await issueEntry(saleId, challenged)).toMatchObject({ status: 'challenge_required' });
    });
    await dropRule(challenge);
    const { userId } = blocked;
    await blockSubjects([
      { kind: 'user', value: userId, reason: 'secret reason', by: 'user_admin', expiresAt: null },
    ]);
    await eventually(() => expect(findBlock({ userId })).not.toBeNull());
    expect((await buy(saleId, userId)).code).toBe('BLOCKED');

    expect((await trace(saleId, limited.userId)).risk).toBe('limited');
    expect((await trace(saleId, challenged.userId)).risk).toBe('challenged');
    const seen = await trace(saleId, userId);
    expect(seen.risk).toBe('blocked');
    expect(JSON.stringify(seen)).not.toContain('secret reason');
    for (const one of [limited, challenged, blocked]) {
      const own = JSON.stringify(await explainAttempts(saleId, one.userId));
      for (const word of ['risk', 'limited', 'secret', limit, challenge]) expect(own).not.toContain(word);
    }
  });

  it('[G6 J5] who was not let in, and nobody who was or has only a task to solve', async () => {
    const { sale } = await makeSale({ minLevel: 3 });
    const [low, high] = await Promise.all([makeUser(), makeUser('shopper', 3)]);
    expect((await issueEntry(sale.saleId, low)).status).toBe('level_too_low');
    expect((await issueEntry(sale.saleId, high)).status).toBe('entered');
    expect(await told(sale.saleId, low.userId)).toEqual(['entry LEVEL_TOO_LOW ×1']);
    expect(await told(sale.saleId, high.userId)).toEqual([]);
    const { sale: challenged } = await makeSale({ challenge: 'pow' });
    expect((await issueEntry(challenged.saleId, low)).status).toBe('challenge_required');
    const answer = { challengeId: 'nonsense', answer: 'x' };
    expect((await issueEntry(challenged.saleId, low, { answer })).status).toBe('challenge_failed');
    expect(await told(challenged.saleId, low.userId)).toEqual(['entry CHALLENGE_FAILED ×1']);
  });

  it('[J5] says that something may be missing where more came than could be kept', async () => {
    const { sale } = await makeSale();
    const { userId } = await makeUser();
    for (let n = 0; n < 50_001; n += 1)
      noteRefusal(
        { saleId: sale.saleId, userId: `user_${n}`, place: 'purchase', code: 'SOLD_OUT', risk: 'none' },
        0,
      );
    expect((await trace(sale.saleId, userId)).lost).toBe(1);
    expect(await explainAttempts(sale.saleId, userId)).toMatchObject({ attempts: [], isComplete: false });
  });
});

describe('who may ask', () => {
  it('[L3] merchants for their own sales and those who came to them; support for everybody', async () => {
    const [{ sale, merchant }, { merchant: other }] = await Promise.all([makeSale(), makeSale()]);
    const [came, never] = await Promise.all([makeUser(), makeUser()]);
    const { saleId } = sale;
    await buy(saleId, came.userId);
    expect((await trace(saleId, `${came.userId}@Example.com`, merchant)).attempts).toHaveLength(1);
    expect(await traceShopper(other, saleId, came.userId)).toEqual({ status: 'sale_not_found' });
    expect(await traceShopper({ userId: came.userId, role: 'shopper' }, saleId, came.userId)).toEqual({
      status: 'sale_not_found',
    });
    expect(await traceShopper(merchant, saleId, never.userId)).toEqual({ status: 'user_not_found' });
    expect((await trace(saleId, never.userId, support)).attempts).toEqual([]);
    for (const nobody of ['nobody@example.com', 'x', "'; --", 'a'.repeat(254)]) {
      expect(await traceShopper(support, saleId, nobody), nobody).toEqual({ status: 'user_not_found' });
    }
    expect(await traceShopper(support, 'sale_nonsense', came.userId)).toEqual({ status: 'sale_not_found' });
    expect(await explainAttempts('sale_nonsense', came.userId)).toBeNull();
  });
});

describe('countTaken', () => {
  it('[J5] counts what had gone by each moment, that moment included', async () => {
    const { sale } = await makeSale({ totalStock: 50, limitPerUser: 5 });
    const { saleId, epoch } = sale;
    const users = await Promise.all([makeUser(), makeUser(), makeUser()]);
    const at = Date.now() - 30_000;
    const orders = users.map(({ userId }, n) =>
      forge({ saleId, epoch, gate: '', userIds: [] }, userId, { acceptedAt: at + 100 * n, quantity: n + 1 }),
    );
    await createOrders({ saleId, orders });
    const taken = await countTaken(saleId, [at + 200, at - 1, at + 99, at, at + 5_000]);
    expect([...taken].sort(([a], [b]) => a - b)).toEqual([
      [at - 1, { orders: 0, units: 0, lastAt: null }],
      [at, { orders: 1, units: 1, lastAt: at }],
      [at + 99, { orders: 1, units: 1, lastAt: at }],
      [at + 200, { orders: 3, units: 6, lastAt: at + 200 }],
      [at + 5_000, { orders: 3, units: 6, lastAt: at + 200 }],
    ]);
    expect(await countTaken('sale_nonsense', [at])).toEqual(
      new Map([[at, { orders: 0, units: 0, lastAt: null }]]),
    );
  });
});
