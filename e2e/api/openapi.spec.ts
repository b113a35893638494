import { expect, test } from '@playwright/test';
import { ROLES } from '../../lib/contract/words/roles';
import {
  demoAdmin,
  demoMerchant,
  newShopper,
  newStaff,
  newVerifiedShopper,
  type Shopper,
  unique,
} from '../support/accounts';
import { baseUrl } from '../support/base-url';
import { newCampaign } from '../support/campaigns';
import { type Answer, askAgain, Client } from '../support/client';
import { askAnyhow, type Documented, documentedOperations, expectDocumented } from '../support/contract';
import { execute } from '../support/database';
import { emailChangeTokenOf, resetTokenOf, verificationOf } from '../support/mails';
import { newShopperWithPasskey, newShopperWithWish } from '../support/passkeys';
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
import { takeMoney } from '../support/sandbox-books';
import { newShopperWithApp, nextCode } from '../support/second-factor';
import { clientOf } from '../support/sessions';
import { signCallback } from '../support/signed-callback';
import { stopTokenOf } from '../support/stop-token';

const HOUR_MS = 3_600_000;
const REASON = { reason: 'a test' };
const anybody = new Client();

type Call = () => Promise<Answer>;

const askForAddress = ({ client, password }: Shopper, newEmail: string): Promise<Answer> =>
  client.post('/api/account/email', { newEmail, currentPassword: password });

/** Makes a thing for the first caller and shares it. A call that changes the thing makes its own. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const demoShop = once(async () => {
  const { shops } = (await (await demoMerchant()).get('/api/admin/shops')).body;
  return `/api/admin/shops/${(shops as { shopId: string }[])[0]?.shopId}`;
});

/** Makes a member of the demo's shop, and returns their address in it. */
async function newMember(): Promise<string> {
  const [{ userId }, shop] = await Promise.all([newStaff('merchant'), demoShop()]);
  await execute(
    "INSERT INTO shop_members (shop_id, user_id, role, added_by) VALUES ($1, $2, 'editor', 'e2e')",
    [shop.split('/').at(-1), userId],
  );
  return `${shop}/members/${userId}`;
}

const someShopper = once(newShopper);
const someProduct = once(newProduct);
const someSale = once(async () =>
  newSale({ productId: await someProduct(), totalStock: 1_000, limitPerUser: 1_000 }),
);
/** A sale the admin area's calls may change, but not close. */
const adminSale = once(async () => newSale({ productId: await someProduct() }));

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

/** A red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const somePicture = once(async () =>
  (await demoMerchant()).post('/api/admin/media', Buffer.from(PNG, 'base64'), {
    headers: { 'content-type': 'image/png' },
  }),
);
const ADDRESS = {
  name: 'Ada Lovelace',
  lines: ['Unter den Linden 1'],
  city: 'Berlin',
  postalCode: '10117',
  country: 'DE',
};

/** Makes a paid order whose parcel can be packed. */
async function parcel() {
  const merchant = await demoMerchant();
  const productId = await newProduct();
  const delivery = { way: 'parcel' };
  await merchant.request('PATCH', `/api/admin/products/${productId}`, { body: { delivery, version: 1 } });
  const [shopper, { saleId }] = await Promise.all([newShopper(), newSale({ productId })]);
  const orderNo = await buy(shopper, saleId);
  const own = shopper.client;
  const given = await own.request('PUT', `/api/orders/${orderNo}/address`, {
    body: { address: ADDRESS, save: true },
  });
  expect(given.status, given.text).toBe(200);
  const { body } = await own.post(`/api/orders/${orderNo}/pay`);
  const token = new URL(String(body.redirectUrl), baseUrl).searchParams.get('token') ?? '';
  await anybody.post(`/api/payments/sandbox/${body.paymentId}/pay`, { token });
  await expectOrder(shopper, orderNo, 'paid');
  return { own, merchant, orderNo };
}
const someParcel = once(parcel);
/** The path of an address that the account of some parcel's shopper keeps. */
async function savedPath() {
  const { own } = await someParcel();
  const body = { address: { ...ADDRESS, name: `Ada ${unique()}` } };
  const { addresses } = (await own.post('/api/account/addresses', body)).body as {
    addresses: { addressId: string }[];
  };
  return { own, path: `/api/account/addresses/${addresses[0]?.addressId}` };
}

const saleWithReservations = once(async () => {
  const productId = await someProduct();
  const startsAt = Date.now() + HOUR_MS;
  const reservation = { opensAt: Date.now() - 1000, closesAt: startsAt };
  return newSale({ productId, startsAt, endsAt: startsAt + HOUR_MS, reservation });
});

/** Makes a draft with a value in every field that may be null. */
const fullDraft = async () =>
  newDraft({
    productId: await someProduct(),
    reservation: { opensAt: 0, closesAt: 1 },
    limits: { user: { algorithm: 'token-bucket', limit: 5, windowSec: 60 } },
  });

/** Sends a shopper's request about their own reservation, which already stands. */
const ofReservation =
  (method: string): Call =>
  async () => {
    const [{ client }, { saleId }] = await Promise.all([someShopper(), saleWithReservations()]);
    const path = `/api/sales/${saleId}/reservation`;
    if (method !== 'POST') expect((await client.post(path)).status).toBeLessThan(300);
    return client.request(method, path);
  };

/** Sends the admin area's request about a sale of its own. */
const ofSale =
  (method: string, verb: string, body?: unknown, make: () => Promise<{ saleId: string }> = adminSale): Call =>
  async () =>
    (await demoMerchant()).request(method, `/api/admin/sales/${(await make()).saleId}/${verb}`, { body });

/** Follows a stream: it has no end, so the first bytes are enough. */
async function follow(path: string, client = anybody): Promise<Answer> {
  const cookie = client.browserCookies().map(({ name, value }) => `${name}=${value}`);
  const response = await askAgain(() =>
    fetch(`${baseUrl}${path}`, { headers: { cookie: cookie.join('; ') } }),
  );
  await response.body?.cancel();
  return { status: response.status, headers: response.headers, text: '', body: {}, lost: 0 };
}

const toRehearse = once(fullDraft);
/** A second call returns the same rehearsal while it lasts. */
const rehearse = ofSale('POST', 'rehearsals', { shoppers: 10 }, toRehearse);

/** Asks for more units than one person may add in the product under test. */
const addMany = ofSale('POST', 'stock', { delta: 20_000, ...REASON }, newSale);

/** Sends an admin's decision on a merchant's request. */
const decide =
  (verb: 'approve' | 'reject', body?: unknown): Call =>
  async () => {
    const { approvalId } = (await addMany()).body;
    return (await demoAdmin()).post(`/api/admin/approvals/${approvalId}/${verb}`, body);
  };

/** Sends an admin's request about an account of its own. */
const ofUser =
  (method: string, verb: string, body?: unknown): Call =>
  async () =>
    (await demoAdmin()).request(method, `/api/admin/users/${(await newShopper()).userId}${verb}`, { body });

const inviteSomebody: Call = async () =>
  (await demoAdmin()).post('/api/admin/invitations', {
    email: `e2e-${unique()}@example.com`,
    role: 'support',
  });

/** Returns the token of an invitation link that was just created. */
const invited = async () => new URL(String((await inviteSomebody()).body.url)).hash.slice(1);

/**
 * Writes an alert that has fired and been resolved, so that the alert rounds leave it alone. Returns its address and
 * its list in the admin area.
 */
async function newAlert(): Promise<{ list: string; path: string }> {
  const { saleId } = await adminSale();
  await execute(
    `INSERT INTO alerts (rule, subject, sale_id, state, value, peak, threshold, since, fired_at, resolved_at)
     VALUES ('outbox_depth', $1, $1, 'resolved', 0.5, 20000, 10000, now(), now(), now())`,
    [saleId],
  );
  const list = `/api/admin/alerts?state=all&saleId=${saleId}`;
  const { body } = await (await demoMerchant()).get(list);
  return { list, path: `/api/admin/alerts/${(body.alerts as { id: string }[])[0]?.id}` };
}

/**
 * Writes a message that looks as if it had failed before, and returns where the admin area finds it. Its next attempt
 * comes before it could raise an alert.
 */
async function newMessage(): Promise<{ found: Answer; path: string }> {
  const { saleId, orderNo } = await paid();
  await execute(
    `INSERT INTO outgoing_messages (topic, payload, attempts, last_error, next_attempt_at)
     VALUES ('points', $1, 3, 'a test', now() + interval '45 seconds')`,
    [{ saleId, orderNo, kind: 'earned' }],
  );
  const found = await (await demoMerchant()).get(`/api/admin/queues/messages?state=failing&saleId=${saleId}`);
  const [message] = found.body.messages as { id: string }[];
  return { found, path: `/api/admin/queues/messages/${message?.id}` };
}

/** Returns a shopper who got a unit and then met the limit per person. */
const refused = once(async () => {
  const [shopper, { saleId }] = await Promise.all([
    newShopper(),
    newSale({ productId: await someProduct() }),
  ]);
  await buy(shopper, saleId);
  const again = await purchase(saleId, await gateOf(saleId), await enter(shopper, saleId));
  expectProblem(again, 409, 'LIMIT_REACHED');
  // The shop writes refusals a moment later.
  const path = `/api/sales/${saleId}/why`;
  const count = async () => ((await shopper.client.get(path)).body.attempts as unknown[]).length;
  await expect.poll(count).toBe(2);
  return { shopper, saleId, path };
});

/** Returns where the admin area lists the reports of a reconciliation that was just requested. */
async function reports(): Promise<string> {
  await ofSale('POST', 'reconcile', undefined, someSale)();
  return `/api/admin/sales/${(await someSale()).saleId}/reconcile`;
}

const newRule = async () => {
  // The rule hits nobody: it counts an event that no test causes a million times.
  const definition = {
    metric: 'challenges_failed',
    subject: 'user',
    windowSec: 61,
    comparison: 'above',
    threshold: 1_000_000,
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
  // No client has such an address (RFC 3849).
  const value = `2001:db8:${unique().slice(0, 4)}:${unique().slice(0, 4)}::/64`;
  return (await demoAdmin()).post('/api/admin/blocks', {
    kind: 'ip',
    value,
    ...REASON,
    expiresAt: Date.now() + HOUR_MS,
  });
}

/** Writes a hit as the rules would have. */
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

/** Writes a dead letter about an order of a new sale, and returns where the admin area finds it. */
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

/** Waits until a shopper who has paid has their points and notice; both come a moment later. */
async function told({ client }: Pick<Shopper, 'client'>, path: string, list: string): Promise<Answer> {
  let answer = await client.get(path);
  await expect
    .poll(async () => {
      answer = await client.get(path);
      return answer.body[list];
    })
    .not.toEqual([]);
  return answer;
}

/** A sale whose only unit is gone, and for which people may wait. */
async function waitlisted(): Promise<{ saleId: string }> {
  const sale = await newSale({ productId: await someProduct(), totalStock: 1, waitlist: true });
  const owner = await newShopper();
  await purchase(sale.saleId, await gateOf(sale.saleId), await enter(owner, sale.saleId), { quantity: 1 });
  return sale;
}

/** A sale that starts in an hour and whose line people may join now. */
const gathering = (changes: object) => async () => {
  const now = Date.now();
  return newSale({
    productId: await someProduct(),
    entryOpensAt: now - HOUR_MS,
    startsAt: now + HOUR_MS,
    endsAt: now + 2 * HOUR_MS,
    ...changes,
  });
};
const waitingRoom = gathering({ admission: 'waiting_room' });

async function waiting() {
  const [shopper, { saleId }] = await Promise.all([someShopper(), waitingRoom()]);
  const path = `/api/sales/${saleId}/line`;
  expect((await shopper.client.post(path)).status).toBeLessThan(300);
  return { shopper, path };
}

/** An order whose decision is in the signed log, and how many that log has. */
const logged = once(async () => {
  const order = await someOrder();
  const path = `/api/sales/${order.saleId}/log`;
  await expect.poll(async () => (await order.shopper.client.get(`${path}/receipt`)).status).toBe(200);
  const { body } = await anybody.get(`${path}/heads`);
  return { ...order, path, size: Number((body.heads as { size: number }[])[0]?.size) };
});

/** How each operation succeeds. Add a call here for each new operation. */
const CALLS: Record<string, Call> = {
  listSales: async () => {
    await someSale();
    return anybody.get('/api/sales?limit=100');
  },
  readCampaign: async () => {
    const { slug, campaignId } = await newCampaign({ limitPerUser: 2 });
    await newSale({ productId: await someProduct(), campaignId });
    const read = () => anybody.get(`/api/campaigns/${slug}`);
    // The list of sales has it a moment later.
    await expect.poll(async () => (await read()).status).toBe(200);
    return read();
  },
  readSaleState: async () => anybody.get(`/api/sales/${(await someSale()).saleId}/state?clock=1`),
  followSale: async () => follow(`/api/sales/${(await someSale()).saleId}/events`),
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
  findWaitlistPlace: async () => {
    const [shopper, { saleId }] = await Promise.all([someShopper(), waitlisted()]);
    return shopper.client.get(`/api/sales/${saleId}/waitlist`);
  },
  joinWaitlist: async () => {
    const [shopper, { saleId }] = await Promise.all([someShopper(), waitlisted()]);
    const headers = { 'x-entry-token': await enter(shopper, saleId) };
    return anybody.post(`/api/sales/${saleId}/waitlist`, undefined, { headers });
  },
  leaveWaitlist: async () => {
    const [shopper, { saleId }] = await Promise.all([someShopper(), waitlisted()]);
    return shopper.client.request('DELETE', `/api/sales/${saleId}/waitlist`);
  },
  findPlace: async () => {
    const { shopper, path } = await waiting();
    return shopper.client.get(path);
  },
  joinLine: async () => (await someShopper()).client.post(`/api/sales/${(await waitingRoom()).saleId}/line`),
  leaveLine: async () => {
    const { shopper, path } = await waiting();
    return shopper.client.request('DELETE', path);
  },
  readLineProof: async () => anybody.get(`/api/sales/${(await waitingRoom()).saleId}/line/proof`),
  listLogHeads: async () => anybody.get(`${(await logged()).path}/heads`),
  readLogConsistency: async () => {
    const { path, size } = await logged();
    return anybody.get(`${path}/consistency?from=${size}&to=${size}`);
  },
  downloadLog: async () => {
    const { path, size } = await logged();
    return anybody.get(`${path}/leaves?size=${size}`);
  },
  readLogReceipt: async () => {
    const { shopper, path } = await logged();
    return shopper.client.get(`${path}/receipt`);
  },
  listLogKeys: async () => {
    await logged();
    return anybody.get('/api/log-keys');
  },
  explainAttempts: async () => {
    const { shopper, path } = await refused();
    return shopper.client.get(path);
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

  readAddressForm: asShopper('GET', '/api/address-form?country=DE'),
  readOrderAddress: async () => {
    const { own, orderNo } = await someParcel();
    return own.get(`/api/orders/${orderNo}/address`);
  },
  putOrderAddress: async () => {
    const { own, orderNo } = await someParcel();
    return own.request('PUT', `/api/orders/${orderNo}/address`, { body: { address: ADDRESS } });
  },
  listAddresses: async () => (await someParcel()).own.get('/api/account/addresses'),
  addAddress: async () => (await newShopper()).client.post('/api/account/addresses', { address: ADDRESS }),
  changeAddress: async () => {
    const { own, path } = await savedPath();
    return own.request('PUT', path, { body: { address: ADDRESS } });
  },
  removeAddress: async () => {
    const { own, path } = await savedPath();
    return own.request('DELETE', path);
  },

  receivePayment: async () => {
    const { paymentId } = await payable();
    await takeMoney(String(paymentId));
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
  // Uses an account that is already verified: a new shopper got a mail only a moment ago.
  sendVerification: async () => (await demoMerchant()).post('/api/email/send'),
  verifyEmail: async () => {
    const { client, userId } = await newShopper();
    await client.post('/api/email/send');
    await expect.poll(() => verificationOf(userId)).toBeTruthy();
    return anybody.post('/api/email/verify', { token: verificationOf(userId) });
  },
  changePassword: async () => {
    const { client, password } = await newShopper();
    return client.post('/api/account/password', { currentPassword: password, newPassword: unique() });
  },
  listFactors: asShopper('GET', '/api/account/factors'),
  beginTotp: async () => {
    const { client, password } = await newVerifiedShopper();
    return client.post('/api/account/factors/totp', { currentPassword: password });
  },
  confirmTotp: async () => (await newShopperWithApp()).confirmed,
  removeTotp: async () => {
    const { client, password, secret } = await newShopperWithApp();
    const body = { currentPassword: password, code: nextCode(secret) };
    return client.post('/api/account/factors/totp/remove', body);
  },
  renewRecoveryCodes: async () => {
    const { client, secret } = await newShopperWithApp();
    return client.post('/api/account/factors/recovery-codes', { code: nextCode(secret) });
  },
  askPasskey: asShopper('POST', '/api/account/factors/passkeys/ask'),
  beginPasskey: async () => (await newShopperWithWish()).begun,
  addPasskey: async () => (await newShopperWithPasskey()).added,
  removePasskey: async () => {
    const { client, password, added } = await newShopperWithPasskey();
    const [code] = added.body.recoveryCodes as string[];
    const path = `/api/account/factors/passkeys/${added.body.passkeyId}/remove`;
    return client.post(path, { currentPassword: password, code });
  },
  listIdentities: asShopper('GET', '/api/account/identities'),
  joinIdentity: async () => {
    const { client, password } = await newVerifiedShopper();
    return client.post('/api/account/identities', { currentPassword: password });
  },
  removeIdentity: async () => {
    const { client, userId, password } = await newShopper();
    const identityId = `e2e-${unique()}`;
    await execute('INSERT INTO identities (id, user_id, issuer, subject) VALUES ($1, $2, $3, $1)', [
      identityId,
      userId,
      'https://id.example.com',
    ]);
    return client.post(`/api/account/identities/${identityId}/remove`, { currentPassword: password });
  },
  confirmAgain: async () => {
    const { client, password } = await newShopper();
    return client.post('/api/account/confirm', { currentPassword: password });
  },
  askEmailChange: async () => askForAddress(await newShopper(), `e2e-${unique()}@example.com`),
  confirmEmailChange: async () => {
    const newEmail = `e2e-${unique()}@example.com`;
    await askForAddress(await newShopper(), newEmail);
    await expect.poll(() => emailChangeTokenOf('confirm', newEmail)).toBeTruthy();
    return anybody.post('/api/email/confirm', { token: emailChangeTokenOf('confirm', newEmail) });
  },
  stopEmailChange: async () => {
    const shopper = await newShopper();
    await askForAddress(shopper, `e2e-${unique()}@example.com`);
    await expect.poll(() => emailChangeTokenOf('stop', shopper.email)).toBeTruthy();
    return anybody.post('/api/email/stop', { token: emailChangeTokenOf('stop', shopper.email) });
  },
  askPasswordReset: () => anybody.post('/api/password/forgot', { email: `e2e-${unique()}@example.com` }),
  resetPassword: async () => {
    const { email, userId } = await newShopper();
    await anybody.post('/api/password/forgot', { email });
    await expect.poll(() => resetTokenOf(userId)).toBeTruthy();
    return anybody.post('/api/password/reset', { token: resetTokenOf(userId), newPassword: unique() });
  },
  listSessions: asShopper('GET', '/api/account/sessions'),
  endSession: async () => {
    const { client, email } = await newShopper();
    await clientOf(email);
    const { sessions } = (await client.get('/api/account/sessions')).body;
    const other = (sessions as { sessionId: string; isCurrent: boolean }[]).find(
      ({ isCurrent }) => !isCurrent,
    );
    return client.post(`/api/account/sessions/${other?.sessionId}/end`);
  },
  exportOwnData: asShopper('GET', '/api/account/export'),
  readDeletion: asShopper('GET', '/api/account/deletion'),
  deleteAccount: async () => {
    const { client, password } = await newShopper();
    return client.post('/api/account/deletion', { currentPassword: password });
  },
  signOutEverywhere: async () => (await newShopper()).client.post('/api/account/sessions/end'),
  lookAtInvitation: async () => anybody.post('/api/invitations/look', { token: await invited() }),
  acceptInvitation: async () =>
    anybody.post('/api/invitations/accept', { token: await invited(), name: 'Test', password: unique() }),
  readPoints: async () => told((await paid()).shopper, '/api/points', 'entries'),
  readOwnLevel: asShopper('GET', '/api/account/level'),
  readTimeZone: asShopper('GET', '/api/account/time-zone'),
  chooseTimeZone: async () =>
    (await newShopper()).client.post('/api/account/time-zone', { timeZone: 'Asia/Shanghai' }),
  readMutedMails: asShopper('GET', '/api/account/mails'),
  muteMails: async () => (await newShopper()).client.post('/api/account/mails', { muted: ['reminders'] }),
  openStopMails: () => anybody.get('/api/email/stop-mails?token=made-up'),
  stopMails: async () =>
    anybody.post(`/api/email/stop-mails?token=${stopTokenOf((await newShopper()).userId, 'waiting')}`),
  returnMail: () => anybody.post('/api/email/returned', {}),
  chooseLanguage: async () =>
    (await newShopper()).client.post('/api/account/language', { language: 'zh-CN' }),
  listNotifications: async () => told((await paid()).shopper, '/api/notifications', 'notifications'),
  readVisit: asShopper('GET', '/api/visit'),
  countUnread: asShopper('GET', '/api/notifications/unread'),
  markRead: asShopper('POST', '/api/notifications/read', { ids: ['1'] }),

  listAdminSales: async () => {
    await fullDraft();
    return (await demoMerchant()).get('/api/admin/sales?limit=100');
  },
  createSale: async () => {
    const limits = { user: { algorithm: 'token-bucket', limit: 5, windowSec: 60 } };
    const input = { ...saleInput({ productId: await someProduct() }), limits };
    return (await demoMerchant()).post('/api/admin/sales', input);
  },
  readAdminSale: async () => (await demoMerchant()).get(`/api/admin/sales/${(await fullDraft()).saleId}`),
  editSale: async () => {
    const { saleId, version } = await fullDraft();
    const body = { title: 'Edited', version };
    return (await demoMerchant()).request('PATCH', `/api/admin/sales/${saleId}`, { body });
  },
  publishSale: ofSale('POST', 'publish', undefined, newDraft),
  pauseSale: ofSale('POST', 'pause'),
  resumeSale: ofSale('POST', 'resume'),
  closeSale: ofSale('POST', 'close', undefined, newSale),
  closeWaitlist: ofSale('POST', 'waitlist/close', undefined, waitlisted),
  openWaitlist: ofSale('POST', 'waitlist/open', undefined, waitlisted),
  readAdminDraw: ofSale('GET', 'draw', undefined, gathering({ admission: 'draw', waitlist: true })),
  readAdminLine: ofSale('GET', 'line', undefined, waitingRoom),
  steerLine: ofSale('PATCH', 'line', { version: 1, held: true }, waitingRoom),
  readSaleLog: ofSale('GET', 'log', undefined, logged),
  verifySaleLog: ofSale('GET', 'log/verification', undefined, logged),
  readShoppersReceipt: async () => {
    const { shopper, saleId } = await logged();
    return (await demoMerchant()).get(`/api/admin/sales/${saleId}/receipt?user=${shopper.email}`);
  },
  changeLimits: ofSale('PATCH', 'limits', { ip: { algorithm: 'fixed-window', limit: 9, windowSec: 60 } }),
  changeStock: ofSale('POST', 'stock', { delta: 1, ...REASON }),
  readSituation: ofSale('GET', 'situation', undefined, someSale),
  readLive: ofSale('GET', 'live?since=1', undefined, someOrder),
  followLive: async () =>
    follow(`/api/admin/sales/${(await adminSale()).saleId}/live/events`, await demoMerchant()),
  traceShopper: async () => {
    const { shopper, saleId } = await refused();
    return (await demoMerchant()).get(`/api/admin/sales/${saleId}/why?user=${shopper.email}`);
  },
  readPrewarmList: ofSale('GET', 'prewarm', undefined, someSale),

  runPreflight: ofSale('GET', 'preflight', undefined, fullDraft),
  requestRehearsal: rehearse,
  listRehearsals: async () => {
    expect((await rehearse()).status).toBeLessThan(300);
    const read = ofSale('GET', 'rehearsals', undefined, toRehearse);
    const state = async () => ((await read()).body.rehearsals as { state: string }[])[0]?.state;
    await expect.poll(state, { timeout: 240_000 }).toBe('done');
    return read();
  },

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
  uploadMedia: somePicture,
  readMedia: async () => anybody.get(String((await somePicture()).body.url)),
  editProduct: async () => {
    const body = { name: 'Edited', version: 1 };
    return (await demoMerchant()).request('PATCH', `/api/admin/products/${await newProduct()}`, { body });
  },

  archiveProduct: async () =>
    (await demoMerchant()).post(`/api/admin/products/${await newProduct()}/archive`),
  reopenProduct: async () => (await demoMerchant()).post(`/api/admin/products/${await newProduct()}/reopen`),

  listCampaigns: async () => {
    await newCampaign();
    return (await demoMerchant()).get('/api/admin/campaigns');
  },
  createCampaign: async () => {
    const body = { slug: `test-${unique()}`, title: 'Lanterns', description: 'Paper', limitPerUser: 2 };
    return (await demoMerchant()).post('/api/admin/campaigns', body);
  },
  readAdminCampaign: async () => {
    const { campaignId } = await newCampaign();
    await newDraft({ productId: await someProduct(), campaignId });
    return (await demoMerchant()).get(`/api/admin/campaigns/${campaignId}`);
  },
  editCampaign: async () => {
    const { campaignId, version } = await newCampaign();
    const body = { title: 'Edited', version };
    return (await demoMerchant()).request('PATCH', `/api/admin/campaigns/${campaignId}`, { body });
  },
  archiveCampaign: async () =>
    (await demoMerchant()).post(`/api/admin/campaigns/${(await newCampaign()).campaignId}/archive`),
  reopenCampaign: async () =>
    (await demoMerchant()).post(`/api/admin/campaigns/${(await newCampaign()).campaignId}/reopen`),

  listAdminOrders: async () => {
    const { saleId, orderNo } = await paid();
    return (await demoMerchant()).get(`/api/admin/orders?saleId=${saleId}&orderNo=${orderNo}`);
  },
  exportOrders: async () =>
    (await demoMerchant()).get(`/api/admin/orders/export?saleId=${(await paid()).saleId}`),
  importProducts: async () =>
    (await demoMerchant()).post('/api/admin/products/import', {
      csv: `slug,name\nlamp-${unique()},Lamp`,
      isDryRun: true,
    }),
  readTakings: async () =>
    (await demoMerchant()).get(`/api/admin/takings?by=sale&saleIds=${(await paid()).saleId}`),
  exportTakings: async () =>
    (await demoMerchant()).get('/api/admin/takings/export?by=day&timeZone=Asia/Tokyo'),
  exportParcels: async () =>
    (await demoMerchant()).get(`/api/admin/orders/parcels/export?saleId=${(await paid()).saleId}`),
  importShipments: async () =>
    (await demoMerchant()).post('/api/admin/orders/shipments', { csv: 'order_no\n1' }),
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
  refundOrderPart: async () =>
    (await demoMerchant()).post(`/api/admin/orders/${(await pay()).orderNo}/refund-parts`, {
      ...REASON,
      amountMinor: 1,
      requestId: 'request-1',
    }),
  refundOrder: async () =>
    (await demoMerchant()).post(`/api/admin/orders/${(await pay()).orderNo}/refund`, {
      ...REASON,
      returnStock: true,
    }),

  lookUpAddress: async () => {
    const { merchant, orderNo } = await someParcel();
    return merchant.get(`/api/admin/orders/${orderNo}/address`);
  },
  moveDelivery: async () => {
    const { merchant, orderNo } = await parcel();
    const path = `/api/admin/orders/${orderNo}/delivery`;
    await merchant.post(path, { to: 'packed' });
    const tracking = { carrier: 'Post', trackingNumber: '1', trackingUrl: 'https://post.example/1' };
    await merchant.post(path, { to: 'shipped', ...tracking });
    await merchant.post(path, { to: 'delivered' });
    return merchant.post(path, { to: 'returned', reason: 'broken' });
  },

  listApprovals: async () => {
    await decide('reject', REASON)();
    return (await demoMerchant()).get('/api/admin/approvals');
  },
  approveRequest: decide('approve'),
  rejectRequest: decide('reject', REASON),

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

  listAlerts: async () => (await demoMerchant()).get((await newAlert()).list),
  acknowledgeAlert: async () =>
    (await demoMerchant()).post(`${(await newAlert()).path}/acknowledge`, { note: 'a test' }),
  listAlertRules: async () => (await demoAdmin()).get('/api/admin/alerts/rules'),
  editAlertRule: async () => {
    const admin = await demoAdmin();
    const { rules } = (await admin.get('/api/admin/alerts/rules')).body;
    const { version } =
      (rules as { id: string; version: number }[]).find(({ id }) => id === 'store_down') ?? {};
    const body = { ruleId: 'store_down', version, enabled: true };
    return admin.request('PATCH', '/api/admin/alerts/rules', { body });
  },

  readSwitchboard: async () => (await demoAdmin()).get('/api/admin/switchboard'),
  setSwitch: async () => {
    const admin = await demoAdmin();
    const { switches } = (await admin.get('/api/admin/switchboard')).body;
    const { version, mode } =
      (switches as { feature: string; version: number; mode: string }[]).find(
        ({ feature }) => feature === 'challenge_pow',
      ) ?? {};
    return admin.request('PATCH', '/api/admin/switchboard/challenge_pow', { body: { mode, version } });
  },

  listShops: async () => (await demoMerchant()).get('/api/admin/shops'),
  readShop: async () => (await demoMerchant()).get(await demoShop()),
  editShop: async () => {
    const merchant = await demoMerchant();
    const { name, version } = (await merchant.get(await demoShop())).body;
    return merchant.request('PATCH', await demoShop(), { body: { name, version } });
  },
  inviteMember: async () => {
    const body = { email: `e2e-${unique()}@example.com`, role: 'viewer' };
    const answer = await (await demoMerchant()).post(`${await demoShop()}/invitations`, body);
    const invitations = answer.body.invitations as { invitationId: string; email: string }[];
    const made = invitations.find(({ email }) => email === body.email);
    // Few may be open at a time.
    await (await demoMerchant()).post(`${await demoShop()}/invitations/${made?.invitationId}/withdraw`);
    return answer;
  },
  withdrawInvitation: async () =>
    (await demoMerchant()).post(`${await demoShop()}/invitations/invitation_none/withdraw`),
  editMember: async () =>
    (await demoMerchant()).request('PATCH', await newMember(), { body: { role: 'viewer' } }),
  removeMember: async () => (await demoMerchant()).post(`${await newMember()}/remove`),

  readSetup: async () => (await demoAdmin()).get('/api/admin/setup'),
  trySetup: async () => (await demoAdmin()).post('/api/admin/setup/test', { what: 'mail' }),
  listMailExamples: async () => (await demoAdmin()).get('/api/admin/mails?language=zh-CN'),

  readQueues: async () => {
    await newMessage();
    return (await demoMerchant()).get('/api/admin/queues');
  },
  listOutboxes: async () => {
    const path = `/api/admin/queues/outboxes?state=all&saleId=${(await someSale()).saleId}`;
    return told({ client: await demoMerchant() }, path, 'outboxes');
  },
  listMessages: async () => (await newMessage()).found,
  retryMessage: async () => (await demoMerchant()).post(`${(await newMessage()).path}/retry`),
  listRuns: async () => {
    // Looks for the timer of an unpaid order.
    const path = `/api/admin/queues/runs?state=sleeping&saleId=${(await someOrder()).saleId}`;
    return told({ client: await demoMerchant() }, path, 'runs');
  },
  listDeadLetters: async () => (await demoMerchant()).get((await newDeadLetter()).list),
  retryDeadLetter: async () => (await demoMerchant()).post(`${(await newDeadLetter()).path}/retry`),
  discardDeadLetter: async () =>
    (await demoMerchant()).post(`${(await newDeadLetter()).path}/discard`, REASON),
  // Names a consumer that does not exist, so that other tests' dead letters stay as they are.
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

  listReconciled: async () => {
    await reports();
    return (await demoMerchant()).get(`/api/admin/reconciliations?saleId=${(await someSale()).saleId}`);
  },
  readReconciliation: async () => (await demoMerchant()).get(await reports()),
  reconcileSale: ofSale('POST', 'reconcile', { repair: true, kinds: ['lost_release'] }, someOrder),
  listReconcileReports: async () => (await demoMerchant()).get(`${await reports()}/reports`),
  readReconcileReport: async () => {
    const path = `${await reports()}/reports`;
    const { body } = await (await demoMerchant()).get(path);
    return (await demoMerchant()).get(`${path}/${(body.reports as { reportId: string }[])[0]?.reportId}`);
  },

  listUsers: async () => (await demoAdmin()).get(`/api/admin/users?search=${(await someShopper()).email}`),
  inviteStaff: inviteSomebody,
  editUser: ofUser('PATCH', '', { level: 1, before: { role: 'shopper', level: 0 } }),
  banUser: ofUser('POST', '/ban', REASON),
  unbanUser: ofUser('POST', '/unban'),
  revokeSessions: ofUser('POST', '/revoke-sessions'),
  removeFactors: ofUser('POST', '/remove-factors'),

  readLevelRules: async () => (await demoAdmin()).get('/api/admin/levels'),
  // The same rules as before: those of other tests stay.
  setLevelRules: async () => {
    const admin = await demoAdmin();
    const { products: _, ...rules } = (await admin.get('/api/admin/levels')).body;
    return admin.request('PATCH', '/api/admin/levels', { body: { ...rules, before: rules } });
  },

  readPerson: async () => (await demoAdmin()).get(`/api/admin/people?who=${(await someShopper()).userId}`),
  sendPersonMail: async () => {
    const { userId } = await newShopper();
    return (await demoAdmin()).post(`/api/admin/people/${userId}/mails`, { kind: 'password_reset' });
  },

  listAudit: async () => {
    await ofSale('POST', 'stock', { delta: 1, ...REASON })();
    return (await demoAdmin()).get('/api/admin/audit?limit=100');
  },
  exportAudit: async () =>
    (await demoAdmin()).get(`/api/admin/audit/export?subjectId=${(await adminSale()).saleId}`),
  verifyAudit: async () => (await demoAdmin()).get('/api/admin/audit/verification'),

  readDemo: () => anybody.get('/api/demo'),

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
    expect(answer.status, answer.text.slice(0, 500)).toBeLessThan(400);
    await expectDocumented(operation as Documented, answer);
  });
}

test('[L3] what waits for a second person answers what is documented', async () => {
  const operations = await documentedOperations();
  const answer = await addMany();
  expect(answer.status).toBe(202);
  const changeStock = operations.find(({ operationId }) => operationId === 'changeStock');
  await expectDocumented(changeStock as Documented, answer);
});

const wantsSession = ({ security }: Documented) => security.some((scheme) => 'session' in scheme);

/** Calls all these operations as `client` and expects each to refuse with this code, in the way it documents. */
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
