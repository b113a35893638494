import { afterAll, describe, expect, it } from 'vitest';
import { createCampaign } from '@/lib/campaign/admin/create-campaign';
import { newSale } from '@/lib/contract/shapes/sale-input';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { createProduct } from '@/lib/product/admin/create-product';
import { createRiskRule } from '@/lib/risk/admin/change-risk-rule';
import { createSale } from '@/lib/sale/admin/create-sale';
import { makeUser } from '@/test/support/make-sale';
import type { Actor } from './actor';

afterAll(closeDb);

const requestId = 'request-of-the-client';
const slug = () => newId('thing').replace('_', '-');

const product = (actor: Actor, more: { requestId?: string; slug?: string; name?: string } = {}) =>
  createProduct(actor, { slug: slug(), name: 'Lamp', description: '', ...more });

async function sale(actor: Actor, more: { requestId?: string; title?: string; productId: string }) {
  const input = {
    title: 'Lamps',
    priceMinor: 100,
    currency: 'EUR',
    totalStock: 1,
    limitPerUser: 1,
    startsAt: 1e12,
    endsAt: 2e12,
  };
  return createSale(actor, newSale.parse({ ...input, ...more }));
}

const rule = (actor: Actor, more: { requestId?: string; name?: string } = {}) =>
  createRiskRule(actor, {
    name: 'Many accounts',
    definition: {
      metric: 'accounts',
      subject: 'ip',
      windowSec: 60,
      comparison: 'above',
      threshold: 9,
      action: { kind: 'block', forSec: 60 },
    },
    state: 'dry_run',
    priority: 100,
    ...more,
  });

const created = (action: string, actor: Actor) =>
  db().auditEntry.count({ where: { action, actorId: actor.userId } });

describe('a creation whose answer was lost', () => {
  it('[F1 L3] makes a draft of a sale once, however often and at the same time it is sent', async () => {
    const merchant = await makeUser('merchant');
    const made = await product(merchant);
    if (made.status !== 'created') throw new Error(made.status);
    const { productId } = made.product;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => sale(merchant, { productId, requestId })),
    );
    const again = await sale(merchant, { productId, requestId });
    for (const answer of answers) expect(answer).toEqual(again);
    expect(again.status).toBe('created');
    expect(await db().sale.count({ where: { merchantId: merchant.userId } })).toBe(1);
    expect(await created('sale.create', merchant)).toBe(1);
    // A request without a name is always a new one.
    await sale(merchant, { productId });
    await sale(merchant, { productId });
    expect(await db().sale.count({ where: { merchantId: merchant.userId } })).toBe(3);
  });

  it('[F1 L3] makes a product, a campaign and a rule once, and says it if the second try has other values', async () => {
    const [merchant, operator] = [await makeUser('merchant'), await makeUser('operator')];
    const [lamp, autumn] = [slug(), slug()];
    const campaign = (title: string) =>
      createCampaign(merchant, { slug: autumn, title, description: '', limitPerUser: 2, requestId });
    const tries = {
      product: (name: string) => product(merchant, { slug: lamp, requestId, name }),
      campaign,
      rule: (name: string) => rule(operator, { requestId, name }),
    };
    for (const send of Object.values(tries)) {
      const first = await send('One');
      expect(first.status).toBe('created');
      expect(await send('One')).toEqual(first);
      expect(await send('Two')).toEqual({ status: 'made_otherwise' });
    }
    expect(await created('product.create', merchant)).toBe(1);
    expect(await created('campaign.create', merchant)).toBe(1);
    expect(await created('risk.create_rule', operator)).toBe(1);
  });

  it('[F1 L3] is its sender’s own: somebody else with the same name for it makes another thing', async () => {
    const [one, two] = [await makeUser('merchant'), await makeUser('merchant')];
    const first = await product(one, { requestId });
    const second = await product(two, { requestId });
    expect([first.status, second.status]).toEqual(['created', 'created']);
    // Another request is still told that the address is taken.
    const taken = first.status === 'created' ? first.product.slug : '';
    expect(await product(two, { slug: taken, requestId: 'another-request' })).toEqual({
      status: 'slug_taken',
    });
  });
});
