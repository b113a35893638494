import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIST_GROUPS, listGroupAt } from '@/lib/sale/records/list-order';
import type { ListedSale } from '@/lib/sale/records/listed-sale';
import { salePhase } from '@/lib/stock/sale-phase';
import { createSaleList } from './sale-list';

const NOW = 1_000_000;

const listed = (n: number, changes: Partial<ListedSale> = {}): ListedSale => ({
  saleId: `sale_${String(n).padStart(4, '0')}`,
  slug: `slug-${n}`,
  title: `Sale ${n}`,
  titles: {},
  imageUrl: null,
  priceMinor: 100,
  listPriceMinor: null,
  currency: 'EUR',
  reservation: null,
  campaign: null,
  admission: 'first_come',
  startsAt: NOW - 10,
  endsAt: NOW + 10,
  paused: false,
  closed: false,
  total: 5,
  available: 5,
  ...changes,
});

type Answer = { sales: { saleId: string; status: string }[]; nextCursor: string | null };
const read = (body: string) => JSON.parse(body) as Answer;

/** Computes the whole list another way: sort everything, then cut. */
function expected(sales: readonly ListedSale[], now: number): string[] {
  return LIST_GROUPS.flatMap((group) => {
    const direction = group === 'coming' ? 1 : -1;
    return sales
      .filter((sale) => listGroupAt(sale, now) === group)
      .sort((a, b) => direction * (a.startsAt - b.startsAt || (a.saleId < b.saleId ? -1 : 1)))
      .map(({ saleId }) => saleId);
  });
}

describe('the list of sales in memory', () => {
  const sale = fc.record({
    startsAt: fc.integer({ min: NOW - 20, max: NOW + 20 }),
    endsAt: fc.integer({ min: NOW - 20, max: NOW + 40 }),
    closed: fc.boolean(),
    paused: fc.boolean(),
    available: fc.nat(2),
  });

  it('[L4] has every sale once, in its place, page by page, at any moment and after any changes', () => {
    fc.assert(
      fc.property(
        fc.array(sale, { maxLength: 40 }),
        fc.array(fc.tuple(fc.nat(39), sale), { maxLength: 20 }),
        fc.integer({ min: 1, max: 45 }),
        fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }),
        (first, later, limit, steps) => {
          const list = createSaleList();
          const known = new Map<string, ListedSale>();
          const put = (n: number, changes: Partial<ListedSale>) => {
            const one = listed(n, changes);
            known.set(one.saleId, one);
            list.put(one);
          };
          first.forEach((changes, n) => {
            put(n, changes);
          });
          let now = NOW - 30;
          for (const [at, step] of steps.entries()) {
            now += step;
            const change = later[at];
            if (change) put(...change);
            const met: string[] = [];
            for (let cursor: string | undefined; ; ) {
              const page = read(list.page({ cursor, limit }, now).body);
              for (const { saleId, status } of page.sales) {
                met.push(saleId);
                expect(status).toBe(salePhase({ ...(known.get(saleId) as ListedSale), serverTime: now }));
              }
              expect(page.sales.length).toBeLessThanOrEqual(limit);
              if (page.nextCursor === null) break;
              cursor = page.nextCursor;
            }
            expect(met).toEqual(expected([...known.values()], now));
          }
        },
      ),
    );
  });

  it('[A3] says until when a page holds: to the next start or end of any sale', () => {
    const list = createSaleList();
    expect(list.page({ limit: 5 }, NOW).until).toBe(Number.POSITIVE_INFINITY);
    list.put(listed(1, { startsAt: NOW + 7, endsAt: NOW + 9 }));
    list.put(listed(2, { startsAt: NOW - 7, endsAt: NOW + 30 }));
    list.put(listed(3, { startsAt: NOW - 7, endsAt: NOW + 2, closed: true }));
    const page = (now: number) => list.page({ limit: 1 }, now);
    expect([page(NOW).until, page(NOW + 7).until, page(NOW + 9).until]).toEqual([NOW + 7, NOW + 9, NOW + 30]);
    expect(read(page(NOW + 6).body).sales[0]?.saleId).toBe('sale_0002');
    expect(read(page(NOW + 7).body).sales[0]).toMatchObject({ saleId: 'sale_0001', status: 'live' });
  });

  it('[O1] has no titles by language where the last release published none', () => {
    const list = createSaleList();
    list.put(listed(1, { titles: { 'zh-CN': '灯' } }));
    list.put(listed(2, { titles: undefined }));
    expect(read(list.page({ limit: 5 }, NOW).body).sales).toMatchObject([
      { title: 'Sale 2', titles: {} },
      { title: 'Sale 1', titles: { 'zh-CN': '灯' } },
    ]);
  });

  it('[L4] forgets what is removed, and knows which addresses there are', () => {
    const list = createSaleList();
    list.put(listed(1));
    list.put(listed(1, { slug: 'another' }));
    list.put(listed(2));
    expect(['slug-1', 'another', 'slug-2'].map(list.idOf)).toEqual([undefined, 'sale_0001', 'sale_0002']);
    const before = list.version();
    list.remove('sale_0002');
    list.remove('sale_0002');
    expect(list.version()).toBe(before + 1);
    expect(list.idOf('slug-2')).toBeUndefined();
    expect([...list.ids()]).toEqual(['sale_0001']);
    expect(read(list.page({ limit: 5 }, NOW).body).sales.map(({ saleId }) => saleId)).toEqual(['sale_0001']);
  });

  it('[L4] begins anew for a cursor that is none of ours', () => {
    const list = createSaleList();
    list.put(listed(1));
    for (const cursor of ['', 'AAAA', '_w', Buffer.from('over:never:x').toString('base64url')])
      expect(read(list.page({ cursor, limit: 5 }, NOW).body).sales).toHaveLength(1);
  });
});

describe('a campaign in the list of sales', () => {
  const campaign = (slug: string, title = slug) => ({
    campaignId: `camp_${slug}`,
    slug,
    title,
    limitPerUser: 2,
  });
  const idsOf = (body: string) =>
    (JSON.parse(body) as { sales: { saleId: string }[] }).sales.map(({ saleId }) => saleId);

  it('[A8] has its sales by start, whenever one joins, changes or goes, and is gone with the last', () => {
    const list = createSaleList();
    const [late, early, other] = [
      listed(1, { campaign: campaign('lamps'), startsAt: NOW + 5 }),
      listed(2, { campaign: campaign('lamps', 'Lamps'), startsAt: NOW - 5 }),
      listed(3),
    ];
    for (const sale of [late, early, other]) list.put(sale);
    const found = list.campaign('lamps', NOW);
    expect(idsOf(found?.body ?? '{}')).toEqual([early.saleId, late.saleId]);
    expect(found?.until).toBe(NOW + 5);
    expect([list.hasCampaign('lamps'), list.hasCampaign('chairs')]).toEqual([true, false]);
    list.put({ ...early, campaign: null });
    expect(idsOf(list.campaign('lamps', NOW)?.body ?? '{}')).toEqual([late.saleId]);
    list.remove(late.saleId);
    expect([list.campaign('lamps', NOW), list.hasCampaign('lamps')]).toEqual([null, false]);
  });
});
