import { expect } from '@playwright/test';
import { demoAdmin, demoMerchant, newShopper, type Shopper, unique } from './accounts';
import { type Campaign, newCampaign } from './campaigns';
import { execute } from './database';
import { writeContactPage } from './own-pages';
import { buy, newDraft, newProduct, newSale, pay, type Sale } from './sales';

/** One example of everything a page may show, so that no list is empty. */
export type Things = {
  shopper: Shopper;
  sale: Sale;
  draft: Sale;
  paidOrderNo: string;
  unpaidOrderNo: string;
  /** An unpaid order with its payment opened. */
  openedOrderNo: string;
  /** The sale's campaign. */
  campaign: Campaign;
  /** The opened payment's page. */
  paymentPath: string;
  /** The shop of the sale. */
  shopId: string;
  /** The page of an invitation to the admin area. */
  invitePath: string;
  /** An invented account that was blocked, was hit by a rule and caused a dead letter. */
  nobody: string;
};

let things: Promise<Things> | undefined;

/** Makes the examples once per worker. */
export function someOfEverything(): Promise<Things> {
  things ??= make();
  return things;
}

async function make(): Promise<Things> {
  const [shopper, productId] = await Promise.all([newShopper(), newProduct()]);
  const campaign = await newCampaign({ limitPerUser: 4 });
  const [sale, draft, nobody] = await Promise.all([
    newSale({ productId, limitPerUser: 3, campaignId: campaign.campaignId }),
    newDraft({ productId, challenge: 'arithmetic' }),
    putAdminRows(),
    writeContactPage(),
  ]);
  const paidOrderNo = await buy(shopper, sale.saleId);
  await pay(shopper, paidOrderNo);
  const unpaidOrderNo = await buy(shopper, sale.saleId);
  const openedOrderNo = await buy(shopper, sale.saleId);
  const paymentPath = await openPayment(shopper, openedOrderNo);
  const merchant = await demoMerchant();
  const admin = `/api/admin/sales/${sale.saleId}`;
  // More units than one person may add.
  const asked = await merchant.post(`${admin}/stock`, { delta: 20_000, reason: 'a second lorry' });
  expect(asked.body.status, asked.text).toBe('pending');
  const invited = { email: `e2e-${unique()}@example.com`, role: 'merchant' };
  const { url } = (await (await demoAdmin()).post('/api/admin/invitations', invited)).body;
  const invitePath = `/invite${new URL(String(url)).hash}`;
  const shopId = String((await merchant.get('/api/admin/shops')).body.chosen);
  // A worker may be reconciling right now.
  await expect.poll(async () => (await merchant.post(`${admin}/reconcile`)).status).toBe(200);
  const orders = { paidOrderNo, unpaidOrderNo, openedOrderNo };
  return { shopper, sale, draft, campaign, ...orders, paymentPath, shopId, invitePath, nobody };
}

/** Returns where the shopper pays an order. */
async function openPayment({ client }: Shopper, orderNo: string): Promise<string> {
  const { body } = await client.post(`/api/orders/${orderNo}/pay`);
  const { pathname, search } = new URL(String(body.redirectUrl), 'http://x');
  return pathname + search;
}

/** Writes rows that no test can cause quickly: a block, a rule's hit and a handled dead letter. */
async function putAdminRows(): Promise<string> {
  const nobody = `nobody-${unique()}`;
  const definition = {
    metric: 'purchase_refusals',
    subject: 'user',
    windowSec: 62,
    comparison: 'above',
    threshold: 80,
    action: { kind: 'block', forSec: 600 },
  };
  const name = `Refused ${nobody}`;
  const rule = await (await demoAdmin()).post('/api/admin/risk/rules', {
    name,
    definition,
    state: 'disabled',
  });
  expect(rule.status, rule.text).toBe(201);
  const counters = JSON.stringify({ count: 81, threshold: 80, windowSec: 62 });
  await Promise.all([
    execute(
      `INSERT INTO blocks (kind, value, reason, blocked_by, expires_at)
       VALUES ('user', $1, 'by a test', $2, now() + interval '10 minutes')`,
      [nobody, `rule:${rule.body.ruleId}`],
    ),
    execute(
      `INSERT INTO risk_hits (rule_id, rule_version, kind, value, period, counters, action, dry_run, expires_at)
       VALUES ($1, 1, 'user', $2, 1, $3, $4, false, now() + interval '10 minutes')`,
      [rule.body.ruleId, nobody, counters, JSON.stringify(definition.action)],
    ),
    execute(
      `INSERT INTO dead_letters (consumer, message_id, payload, error, resolved_at, resolution)
       VALUES ($1, $1, '{}', 'made by a test', now(), 'discarded: test')`,
      [nobody],
    ),
  ]);
  return nobody;
}
