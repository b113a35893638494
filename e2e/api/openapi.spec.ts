import { expect, test } from '@playwright/test';
import { ROLES } from '../../lib/account/roles';
import { demoAdmin, demoMerchant, newShopper, type Shopper, unique } from '../support/accounts';
import { baseUrl } from '../support/base-url';
import { type Answer, Client } from '../support/client';
import { askAnyhow, type Documented, documentedOperations, expectDocumented } from '../support/contract';
import { execute } from '../support/database';
import { verificationOf } from '../support/mails';
import { expectProblem } from '../support/problem';
import {
  buy,
  enter,
  expectOrder,
  gateOf,
  newDraft,
  newProduct,
  newSale,
  purchase,
  saleInput,
} from '../support/sales';
import { signCallback } from '../support/signed-callback';

const HOUR_MS = 3_600_000;
const REASON = { reason: 'a test' };
const anybody = new Client();

type Call = () => Promise<Answer>;

/** Made for the first who asks; what changes it makes its own. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const someShopper = once(newShopper);
const someProduct = once(newProduct);
const someSale = once(async () =>
  newSale({ productId: await someProduct(), totalStock: 1_000, limitPerUser: 1_000 }),
);
/** To be changed at the desk, but not closed. */
const deskSale = once(async () => newSale({ productId: await someProduct() }));

async function bought() {
  const [shopper, { saleId }] = await Promise.all([someShopper(), someSale()]);
  return { shopper, saleId, orderNo: await buy(shopper, saleId) };
}

const someOrder = once(bought);

async function payable() {
  const order = await bought();
  const { body } = await order.shopper.client.post(`/api/orders/${order.orderNo}/pay`);
  const token = new URL(String(body.redirectUrl), baseUrl).searchParams.get('token') ?? '';
  return { ...order, path: `/api/payments/sandbox/${body.paymentId}`, token, paymentId: body.paymentId };
}

async function pay() {
  const order = await payable();
  expect((await anybody.post(`${order.path}/pay`, { token: order.token })).status).toBe(200);
  await expectOrder(order.shopper, order.orderNo, 'paid');
  return order;
}
const paid = once(pay);

const saleWithReservations = once(async () =>
  newSale({
    productId: await someProduct(),
    startsAt: Date.now() + HOUR_MS,
    endsAt: Date.now() + 2 * HOUR_MS,
    reservation: { opensAt: Date.now() - 1000, closesAt: Date.now() + HOUR_MS },
  }),
);

/** A shopper's request about the own reservation, which stands by then. */
const ofReservation =
  (method: string): Call =>
  async () => {
    const [{ client }, { saleId }] = await Promise.all([someShopper(), saleWithReservations()]);
    const path = `/api/sales/${saleId}/reservation`;
    if (method !== 'POST') expect((await client.post(path)).status).toBeLessThan(300);
    return client.request(method, path);
  };

/** The desk's request about a sale of its own. */
const ofSale =
  (method: string, verb: string, body?: unknown, make: () => Promise<{ saleId: string }> = deskSale): Call =>
  async () =>
    (await demoMerchant()).request(method, `/api/admin/sales/${(await make()).saleId}/${verb}`, { body });

const newRule = async () => {
  // Nobody meets it: it counts what no test does a million times.
  const definition = {
    ...{
      metric: 'challenges_failed',
      subject: 'user',
      windowSec: 61,
      comparison: 'above',
      threshold: 1_000_000,
    },
    action: { kind: 'flag' },
  };
  const input = { name: `Test ${unique()}`, definition, state: 'disabled' };
  return { input, definition, made: await (await demoAdmin()).post('/api/admin/risk/rules', input) };
};

const ofRule =
  (method: string, change: object): Call =>
  async () => {
    const { ruleId, version } = (await newRule()).made.body;
    return (await demoAdmin()).request(method, `/api/admin/risk/rules/${ruleId}`, {
      body: { version, ...change },
    });
  };

async function newBlock(): Promise<Answer> {
  // Nobody has such an address (RFC 3849).
  const value = `2001:db8:${unique().slice(0, 4)}:${unique().slice(0, 4)}::/64`;
  return (await demoAdmin()).post('/api/admin/blocks', {
    kind: 'ip',
    value,
    ...REASON,
    expiresAt: Date.now() + HOUR_MS,
  });
}

/** A hit as the rules would have noted it. */
async function newHit(): Promise<{ value: string; hitId: string }> {
  const value = `user_${unique()}`;
  await execute(
    `INSERT INTO risk_hits (rule_id, rule_version, kind, value, period, counters, action, dry_run)
     VALUES ('unpaid-by-account', 1, 'user', $1, 1, $2, $3, true)`,
    [value, { count: 6, threshold: 5, windowSec: 3600 }, { kind: 'block', forSec: 3600 }],
  );
  const { body } = await (await demoAdmin()).get(`/api/admin/risk/hits?value=${value}`);
  return { value, hitId: (body.hits as { hitId: string }[])[0]?.hitId ?? '' };
}

/** Something given up about an order of a sale of its own, and where the desk finds it. */
async function newDeadLetter(): Promise<{ list: string; path: string }> {
  const { saleId, orderNo } = await paid();
  const consumer = 'points';
  const payload = { saleId, orderNo, kind: 'earned' };
  await execute(
    `INSERT INTO dead_letters (consumer, message_id, sale_id, order_no, payload, error)
     VALUES ($1, $2, $3, $4, $5, 'a test')`,
    [consumer, unique(), saleId, orderNo, payload],
  );
  const list = `/api/admin/dead-letters?saleId=${saleId}`;
  const { body } = await (await demoMerchant()).get(list);
  return { list, path: `/api/admin/dead-letters/${(body.deadLetters as { id: string }[])[0]?.id}` };
}

const asShopper =
  (method: string, path: string, body?: unknown): Call =>
  async () =>
    (await someShopper()).client.request(method, path, { body });

/** Whoever has paid has points and was told so; both come a moment later. */
async function told({ client }: Pick<Shopper, 'client'>, path: string, list: string): Promise<Answer> {
  let answer = await client.get(path);
  await expect
    .poll(
      async () => {
        answer = await client.get(path);
        return answer.body[list];
      },
      { timeout: 30_000 },
    )
    .not.toEqual([]);
  return answer;
}

/** How each operation succeeds. Whoever documents a new one adds it here. */
const CALLS: Record<string, Call> = {
  listSales: async () => {
    await someSale();
    return anybody.get('/api/sales?limit=100');
  },
  readSaleState: async () => anybody.get(`/api/sales/${(await someSale()).saleId}/state?clock=1`),
  followSale: async () => {
    const { saleId } = await someSale();
    // A stream has no end: its first bytes are enough.
    const response = await fetch(`${baseUrl}/api/sales/${saleId}/events`);
    await response.body?.cancel();
    return { status: response.status, headers: response.headers, text: '', body: {} };
  },
  reserve: ofReservation('POST'),
  findReservation: ofReservation('GET'),
  cancelReservation: ofReservation('DELETE'),
  askForChallenge: async () => {
    const { saleId } = await newSale({ productId: await someProduct(), challenge: 'pow' });
    return (await someShopper()).client.post(`/api/sales/${saleId}/challenge`);
  },
  enter: async () => (await someShopper()).client.post(`/api/sales/${(await someSale()).saleId}/entry`),
  purchase: async () => {
    const [shopper, { saleId }] = await Promise.all([someShopper(), someSale()]);
    return purchase(saleId, await gateOf(saleId), await enter(shopper, saleId), { quantity: 1 });
  },

  listOrders: async () => (await someOrder()).shopper.client.get('/api/orders'),
  readOrder: async () => {
    const { shopper, orderNo } = await someOrder();
    return shopper.client.get(`/api/orders/${orderNo}`);
  },
  readOrderHistory: async () => {
    const { shopper, orderNo } = await paid();
    return shopper.client.get(`/api/orders/${orderNo}/history`);
  },
  payOrder: async () => {
    const { shopper, orderNo } = await someOrder();
    return shopper.client.post(`/api/orders/${orderNo}/pay`);
  },
  cancelOrder: async () => {
    const { shopper, orderNo } = await bought();
    return shopper.client.post(`/api/orders/${orderNo}/cancel`);
  },

  receivePayment: async () => {
    const { paymentId } = await payable();
    const data = { paymentId, amountMinor: 4200, currency: 'EUR' };
    const body = JSON.stringify({ type: 'payment.succeeded', data });
    const headers = signCallback(body, unique());
    return anybody.post('/api/payments/webhooks/sandbox', body, { headers, isSameOrigin: false });
  },
  openSandboxPayment: async () => {
    const { path, token } = await payable();
    return anybody.get(`${path}?token=${token}`);
  },
  paySandboxPayment: async () => {
    const { path, token } = await payable();
    return anybody.post(`${path}/pay`, { token });
  },
  declineSandboxPayment: async () => {
    const { path, token } = await payable();
    return anybody.post(`${path}/decline`, { token });
  },

  register: () =>
    anybody.post('/api/register', { email: `e2e-${unique()}@example.com`, password: unique(), name: 'Test' }),
  // Verified already; who has just registered was sent a mail a moment ago.
  sendVerification: async () => (await demoMerchant()).post('/api/email/send'),
  verifyEmail: async () => {
    const { userId } = await someShopper();
    await expect.poll(() => verificationOf(userId), { timeout: 30_000 }).toBeTruthy();
    return anybody.post('/api/email/verify', { token: verificationOf(userId) });
  },
  readPoints: async () => told((await paid()).shopper, '/api/points', 'entries'),
  listNotifications: async () => told((await paid()).shopper, '/api/notifications', 'notifications'),
  countUnread: asShopper('GET', '/api/notifications/unread'),
  markRead: asShopper('POST', '/api/notifications/read', { ids: ['1'] }),

  listDeskSales: async () => {
    await newDraft({ productId: await someProduct(), reservation: { opensAt: 0, closesAt: 1 } });
    return (await demoMerchant()).get('/api/admin/sales?limit=100');
  },
  createSale: async () => {
    const limits = { user: { algorithm: 'token-bucket', limit: 5, windowSec: 60 } };
    const input = { ...saleInput({ productId: await someProduct() }), limits };
    return (await demoMerchant()).post('/api/admin/sales', input);
  },
  publishSale: ofSale('POST', 'publish', undefined, newDraft),
  pauseSale: ofSale('POST', 'pause'),
  resumeSale: ofSale('POST', 'resume'),
  closeSale: ofSale('POST', 'close', undefined, newSale),
  changeLimits: ofSale('PATCH', 'limits', { ip: { algorithm: 'fixed-window', limit: 9, windowSec: 60 } }),
  changeStock: ofSale('POST', 'stock', { delta: 1, ...REASON }),
  readLive: ofSale('GET', 'live', undefined, someOrder),
  readReconciliation: async () => {
    await ofSale('POST', 'reconcile', undefined, someSale)();
    return ofSale('GET', 'reconcile', undefined, someSale)();
  },
  reconcileSale: ofSale('POST', 'reconcile', { repair: true }, someOrder),
  readPrewarmList: ofSale('GET', 'prewarm', undefined, someSale),

  listProducts: async () => {
    await someProduct();
    return (await demoMerchant()).get('/api/admin/products?limit=100');
  },
  createProduct: async () => {
    const name = `Test product ${unique()}`;
    const input = {
      slug: name.toLowerCase().replaceAll(' ', '-'),
      name,
      description: '',
      attributes: { a: 'b' },
    };
    return (await demoMerchant()).post('/api/admin/products', input);
  },
  editProduct: async () => {
    const body = { name: 'Edited', version: 1 };
    return (await demoMerchant()).request('PATCH', `/api/admin/products/${await newProduct()}`, { body });
  },

  readManagedOrder: async () => (await demoMerchant()).get(`/api/admin/orders/${(await paid()).orderNo}`),
  changeOrderPrice: async () => {
    const { shopper, orderNo } = await bought();
    const { version } = (await shopper.client.get(`/api/orders/${orderNo}`)).body;
    return (await demoMerchant()).request('PATCH', `/api/admin/orders/${orderNo}`, {
      body: { priceMinor: 4000, version },
    });
  },
  cancelManagedOrder: async () =>
    (await demoMerchant()).post(`/api/admin/orders/${(await bought()).orderNo}/cancel`, REASON),
  refundOrder: async () =>
    (await demoMerchant()).post(`/api/admin/orders/${(await pay()).orderNo}/refund`, {
      ...REASON,
      returnStock: true,
    }),

  listBlocks: async () => {
    await newBlock();
    return (await demoAdmin()).get('/api/admin/blocks');
  },
  addBlock: newBlock,
  liftBlock: async () => (await demoAdmin()).post(`/api/admin/blocks/${(await newBlock()).body.id}/lift`),
  exportBlocks: async () => (await demoAdmin()).get('/api/admin/blocks/export?kind=device'),
  importBlocks: async () =>
    (await demoAdmin()).post('/api/admin/blocks/import', { csv: 'kind,value,reason\nnobody,1,a test' }),

  listRules: async () => (await demoAdmin()).get('/api/admin/risk/rules'),
  createRule: async () => (await newRule()).made,
  editRule: ofRule('PATCH', { priority: 999 }),
  deleteRule: ofRule('DELETE', {}),
  dryRunRule: async () => {
    const { definition } = await newRule();
    return (await demoAdmin()).post('/api/admin/risk/rules/dry-run', { definition });
  },
  listHits: async () => (await demoAdmin()).get(`/api/admin/risk/hits?value=${(await newHit()).value}`),
  releaseHit: async () => (await demoAdmin()).post(`/api/admin/risk/hits/${(await newHit()).hitId}/release`),

  listDeadLetters: async () => (await demoMerchant()).get((await newDeadLetter()).list),
  retryDeadLetter: async () => (await demoMerchant()).post(`${(await newDeadLetter()).path}/retry`),
  discardDeadLetter: async () =>
    (await demoMerchant()).post(`${(await newDeadLetter()).path}/discard`, REASON),
  // Of a consumer there is not: other tests' letters are left alone.
  retryDeadLetters: async () =>
    (await demoMerchant()).post('/api/admin/dead-letters/retry', { consumer: `none-${unique()}` }),
  listSyncFailures: async () => {
    const { slug } = await someSale();
    await execute(
      `INSERT INTO sync_failures (kind, name, subject, since, attempts, next_try_at, error, expires_at)
       VALUES ('cdn', $1, $2, now(), 3, NULL, 'a test', now() + interval '10 seconds')`,
      [`/sales/${slug}`, slug],
    );
    return (await demoMerchant()).get('/api/admin/sync-failures?limit=100');
  },

  isAlive: () => anybody.get('/livez'),
  isReady: () => anybody.get('/readyz'),
  readDocument: () => anybody.get('/api/openapi.json'),
};

test('[L3] every documented operation is called below, and nothing else', async () => {
  const documented = (await documentedOperations()).map(({ operationId }) => operationId);
  const help = 'Say in CALLS how a documented operation succeeds.';
  expect(Object.keys(CALLS).sort(), help).toEqual(documented.sort());
});

for (const [id, call] of Object.entries(CALLS)) {
  test(`[L3] ${id} answers what is documented`, async () => {
    const operation = (await documentedOperations()).find(({ operationId }) => operationId === id);
    expect(operation, 'is not documented').toBeDefined();
    const answer = await call();
    expect(answer.status, answer.text.slice(0, 500)).toBeLessThan(300);
    await expectDocumented(operation as Documented, answer);
  });
}

const wantsSession = ({ security }: Documented) => security.some((scheme) => 'session' in scheme);

/** Asks for all of them as `client`: each has to refuse with this code, in the way it documents. */
const expectRefused = (
  operations: Documented[],
  client: Client,
  status: number,
  code: string,
  isSameOrigin = true,
) =>
  Promise.all(
    operations.map(async (operation) => {
      const answer = await askAnyhow(client, operation, isSameOrigin);
      expectProblem(answer, status, code);
      await expectDocumented(operation, answer);
    }),
  );

test('[L4] whoever is not signed in is refused as documented', async () => {
  const operations = (await documentedOperations()).filter(wantsSession);
  expect(operations.length).toBeGreaterThan(40);
  await expectRefused(operations, new Client(), 401, 'UNAUTHENTICATED');
});

test('[L4] what comes from other pages is refused as documented', async () => {
  const changing = (await documentedOperations()).filter(
    (operation) => wantsSession(operation) && operation.method !== 'GET',
  );
  expect(changing.length).toBeGreaterThan(20);
  await expectRefused(changing, await demoAdmin(), 403, 'CSRF', false);
});

test('[L4] every role is refused wherever it is not documented', async () => {
  const { client, userId } = await newShopper();
  const documented = await documentedOperations();
  let asked = 0;
  for (const role of ROLES) {
    await execute('UPDATE users SET role = $2 WHERE id = $1', [userId, role]);
    const closed = documented.filter((operation) => operation['x-roles']?.includes(role) === false);
    await test.step(role, () => expectRefused(closed, client, 403, 'FORBIDDEN'));
    asked += closed.length;
  }
  expect(asked).toBeGreaterThan(80);
});
