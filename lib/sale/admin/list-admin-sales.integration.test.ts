import { afterAll, describe, expect, it } from 'vitest';
import type { Actor } from '@/lib/actor/actor';
import type { SaleFilter } from '@/lib/contract/shapes/sale-input';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { makeDraft, makeUser } from '@/test/support/make-sale';
import { closeSale } from './close-sale';
import { createSale } from './create-sale';
import { listAdminSales } from './list-admin-sales';
import { setSalePaused } from './pause-sale';
import { publishSale } from './publish-sale';
import { readAdminSale } from './read-admin-sale';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const HOUR_MS = 3_600_000;

/** Makes a merchant with one sale in each state, in this order. */
async function makeShop(): Promise<{ merchant: Actor; now: number }> {
  const now = Date.now();
  const { sale, merchant } = await makeDraft({ title: 'Draft 100%' });
  const source = await readAdminSale(merchant, sale.saleId);
  if (!source) throw new Error('no draft');
  const make = async (title: string, startsAt: number, isPublished = true) => {
    const input = { ...source, title, startsAt, endsAt: startsAt + HOUR_MS, entryOpensAt: startsAt };
    const made = await createSale(merchant, input);
    if (made.status !== 'created') throw new Error(made.status);
    if (isPublished) await publishSale(merchant, made.sale.saleId);
    return made.sale.saleId;
  };
  await make('Scheduled', now + HOUR_MS);
  await make('Running', now - 1_000);
  await setSalePaused(merchant, await make('Paused', now - 2_000), true);
  await make('Over', now - 2 * HOUR_MS);
  await closeSale(merchant, await make('Closed', now - 3_000));
  return { merchant, now };
}

async function titles(actor: Actor, filter: Partial<SaleFilter> = {}, limit = 20): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAdminSales(actor, { limit, cursor }, { sort: 'newest', ...filter });
    expect(page.sales.length).toBeLessThanOrEqual(limit);
    found.push(...page.sales.map(({ title }) => title));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return found;
}

describe('the list of sales', () => {
  it('[L3] by state, text, time and order, page by page', async () => {
    const { merchant, now } = await makeShop();
    const newest = ['Closed', 'Over', 'Paused', 'Running', 'Scheduled', 'Draft 100%'];
    expect(await titles(merchant)).toEqual(newest);
    for (const limit of [1, 2, 5]) expect(await titles(merchant, {}, limit)).toEqual(newest);
    expect(await titles(merchant, { status: 'draft' })).toEqual(['Draft 100%']);
    expect(await titles(merchant, { status: 'scheduled' })).toEqual(['Scheduled']);
    expect(await titles(merchant, { status: 'running' })).toEqual(['Running']);
    expect(await titles(merchant, { status: 'paused' })).toEqual(['Paused']);
    expect(await titles(merchant, { status: 'ended' }, 1)).toEqual(['Closed', 'Over']);
    expect(await titles(merchant, { q: 'PAUS' })).toEqual(['Paused']);
    // Finds the product's name; characters that mean something in SQL mean nothing here.
    expect(await titles(merchant, { q: 'lantern', status: 'running' })).toEqual(['Running']);
    expect(await titles(merchant, { q: '100%' })).toEqual(['Draft 100%']);
    for (const q of ['_', '\\', '0%%']) expect(await titles(merchant, { q }), q).toEqual([]);
    expect(await titles(merchant, { to: now - HOUR_MS })).toEqual(['Over']);
    expect(await titles(merchant, { from: now + HOUR_MS + 60_000 })).toEqual(['Scheduled']);
    const byStart = ['Over', 'Draft 100%', 'Closed', 'Paused', 'Running', 'Scheduled'];
    for (const limit of [1, 4, 20]) {
      expect(await titles(merchant, { sort: 'start' }, limit)).toEqual(byStart);
      expect(await titles(merchant, { sort: '-start' }, limit)).toEqual(byStart.toReversed());
    }
  });

  it('[L4] of another merchant stays theirs, whatever is asked', async () => {
    const { sale } = await makeDraft({ title: 'Only mine' });
    const stranger = await makeUser('merchant');
    for (const q of ['Only mine', sale.saleId, sale.slug]) {
      expect(await titles(stranger, { q })).toEqual([]);
      expect(await titles(await makeUser('operator'), { q })).toContain('Only mine');
    }
    const page = { limit: 5, cursor: Buffer.from('nonsense:x').toString('base64url') };
    expect((await listAdminSales(stranger, page, { sort: 'start' })).sales).toEqual([]);
  });
});
