import { spawn } from 'node:child_process';
import { on } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { withLock } from '@/lib/lock/with-lock';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { eventually } from '@/test/support/eventually';
import { configureStock } from './configure-stock';
import { loadStock } from './load-stock';
import { purchaseStock } from './purchase-stock';
import { purchaseUnderLock, purchaseWithin } from './purchase-under-lock';
import { readBuyer } from './read-buyer';
import { readStock } from './read-stock';
import { releaseStock } from './release-stock';
import { StockCorruptError } from './run-stock-script';
import { GATE, HOUR_MS, openSale, purchaseOf } from './testing/open-sale';

afterAll(closeRedis);

/** A lock that certainly lasts for a while. */
const lockOf = (fence: number) => ({ fence, remainingMs: () => 10_000 });

const outboxOf = (saleId: string) => stockRedis().xrange(keys.outbox(saleId), '-', '+');

/** Takes a sale's lock as another holder. Calling the function it returns releases the lock. */
function takeLock(saleId: string): Promise<() => Promise<unknown>> {
  return new Promise((onHeld) => {
    const holding = withLock(
      `purchase:${saleId}`,
      { ttlMs: 5_000 },
      () =>
        new Promise<void>((end) => {
          onHeld(() => {
            end();
            return holding;
          });
        }),
    );
  });
}

describe('what it writes', () => {
  it('[C3 E2] is what the script writes, and the fence', async () => {
    const [byScript, byLock] = [await openSale({ limit: 3 }), await openSale({ limit: 3 })];
    const purchases = [1, 2].map((quantity) => purchaseOf(byScript, 'ada', { quantity }));
    for (const purchase of purchases) {
      expect(await purchaseStock(purchase)).toMatchObject({ status: 'accepted' });
      expect(await purchaseUnderLock({ ...purchase, saleId: byLock })).toMatchObject({ status: 'accepted' });
    }
    const [hash, { fence, ...locked }] = await Promise.all([
      stockRedis().hgetall(keys.sale(byScript)),
      stockRedis().hgetall(keys.sale(byLock)),
    ]);
    const loading = { rules: '', startsAt: '', endsAt: '', loadedAt: '', soldOutAt: '' };
    expect({ ...locked, ...loading }).toEqual({ ...hash, ...loading });
    expect(Number(fence)).toBeGreaterThan(0);
    expect(await readBuyer(byLock, 'ada')).toEqual(await readBuyer(byScript, 'ada'));
    const withoutTime = (entries: [string, string[]][]) => entries.map(([, fields]) => fields.slice(0, -1));
    expect(withoutTime(await outboxOf(byLock))).toEqual(withoutTime(await outboxOf(byScript)));
  });
});

describe('the lock', () => {
  it('[C3 D2] that is not had in time is "busy", and nothing is written', async () => {
    const saleId = await openSale();
    const release = await takeLock(saleId);
    const answers = await Promise.all(
      ['ada', 'ben'].map((user) => purchaseUnderLock(purchaseOf(saleId, user))),
    );
    expect(answers).toEqual([{ status: 'busy' }, { status: 'busy' }]);
    await release();
    expect(await readStock(saleId)).toMatchObject({ available: 10, held: 0 });
    expect(await purchaseUnderLock(purchaseOf(saleId, 'ada'))).toMatchObject({ status: 'accepted' });
  });

  it('[C3] is not needed to be refused', async () => {
    const saleId = await openSale({ total: 0 });
    const release = await takeLock(saleId);
    expect(await purchaseUnderLock(purchaseOf(saleId, 'ada'))).toEqual({ status: 'sold_out', available: 0 });
    await release();
  });
});

describe('a holder that was late', () => {
  it('[C3 D5] is refused by its fence, even if everything looks as it was read', async () => {
    const saleId = await openSale({ total: 1 });
    const answer = await purchaseWithin(lockOf(5), purchaseOf(saleId, 'ada'), async () => {
      const between = purchaseOf(saleId, 'ben');
      expect(await purchaseWithin(lockOf(6), between)).toMatchObject({ status: 'accepted' });
      expect(await releaseStock(between)).toEqual({ status: 'released' });
    });
    expect(answer).toEqual({ status: 'busy' });
    expect(await readStock(saleId)).toMatchObject({ available: 1, held: 0 });
    expect(await readBuyer(saleId, 'ada')).toEqual([]);
    // The same holder may write again, and so may a later one.
    expect(await purchaseWithin(lockOf(6), purchaseOf(saleId, 'ada'))).toMatchObject({ status: 'accepted' });
  });

  it('[C3 D3] is refused when its lock has run out, also if nobody has had it since', async () => {
    const saleId = await openSale();
    const lock = { fence: 7, remainingMs: () => 0 };
    expect(await purchaseWithin(lock, purchaseOf(saleId, 'ada'))).toEqual({ status: 'busy' });
    expect(await outboxOf(saleId)).toEqual([]);
    expect(await readStock(saleId)).toMatchObject({ available: 10, held: 0 });
  });

  it('[C3] does not sell after the end, however long ago it found the sale open', async () => {
    const endsAt = Date.now() + 3_000;
    const saleId = await openSale({ startsAt: endsAt - HOUR_MS, endsAt });
    const answer = await purchaseWithin(lockOf(1), purchaseOf(saleId, 'ada'), () =>
      eventually(async () => expect((await readStock(saleId))?.serverTime).toBeGreaterThanOrEqual(endsAt)),
    );
    expect(answer).toEqual({ status: 'busy' });
    expect(await purchaseUnderLock(purchaseOf(saleId, 'ada'))).toEqual({ status: 'ended' });
  });

  it('[C3 D3 D5] a process that was stopped between reading and writing sells nothing', async () => {
    const saleId = await openSale({ total: 1 });
    const args = [
      '--import',
      'tsx',
      '--conditions=react-server',
      'lib/stock/testing/stopped-buyer.ts',
      saleId,
      'ada',
    ];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      const lines = on(createInterface(child.stdout), 'line');
      const next = async () => JSON.parse((await lines.next()).value[0]) as Record<string, unknown>;
      expect(await next()).toMatchObject({ step: 'read' });
      child.kill('SIGSTOP');
      await eventually(async () =>
        expect(await stockRedis().exists(keys.lockHolder(`purchase:${saleId}`))).toBe(0),
      );
      const between = purchaseOf(saleId, 'ben');
      expect(await purchaseUnderLock(between)).toMatchObject({ status: 'accepted' });
      await releaseStock(between);
      child.kill('SIGCONT');
      child.stdin.write('go on\n');
      expect(await next()).toEqual({ step: 'answered', status: 'busy' });
      expect(await readStock(saleId)).toMatchObject({ available: 1, held: 0 });
    } finally {
      child.kill('SIGKILL');
    }
  });
});

describe('what changes between reading and writing', () => {
  it('[C3 C6] a release is not lost: the purchase is decided again', async () => {
    const saleId = await openSale({ total: 2 });
    const earlier = purchaseOf(saleId, 'ben');
    await purchaseUnderLock(earlier);
    let readings = 0;
    const answer = await purchaseWithin(lockOf(Date.now() * 1_001), purchaseOf(saleId, 'ada'), async () => {
      readings += 1;
      if (readings === 1) await releaseStock(earlier);
    });
    expect([answer.status, readings]).toEqual(['accepted', 2]);
    expect(await readStock(saleId)).toMatchObject({ total: 2, available: 1, held: 1 });
  });

  it('[C3] neither is a pause, the end of the stock or a rebuild', async () => {
    const changes = [
      ['paused', (saleId: string) => configureStock({ saleId, epoch: 1, paused: true })],
      ['sold_out', (saleId: string) => purchaseStock(purchaseOf(saleId, 'ben'))],
      [
        'stale_epoch',
        (saleId: string) => {
          const window = { startsAt: Date.now() - HOUR_MS, endsAt: Date.now() + HOUR_MS };
          const tiers = { total: 1, available: 1, held: 0, sold: 0 };
          return loadStock({ saleId, epoch: 2, ...window, ...tiers, paused: false, gate: GATE, limit: 1 });
        },
      ],
    ] as const;
    for (const [status, change] of changes) {
      const saleId = await openSale({ total: 1 });
      const purchase = purchaseOf(saleId, 'ada');
      expect(await purchaseWithin(lockOf(1), purchase, () => change(saleId))).toMatchObject({ status });
      expect(await readBuyer(saleId, 'ada')).toEqual([]);
    }
  });

  it('[C1 C3] numbers that do not add up are an alarm, never mended', async () => {
    for (const [field, value] of [
      ['available', '9'],
      ['held', '-1'],
      ['sold', ''],
    ] as const) {
      const saleId = await openSale();
      await stockRedis().hset(keys.sale(saleId), field, value);
      await expect(purchaseUnderLock(purchaseOf(saleId, 'ada'))).rejects.toThrow(StockCorruptError);
      expect(await outboxOf(saleId)).toEqual([]);
    }
  });
});
