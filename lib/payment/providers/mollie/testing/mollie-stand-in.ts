import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { db } from '@/lib/db/client';
import { isPrivateHost } from '@/lib/setting-kinds';
import { type Answer, type Asked, type Callback, StandIn } from '../../testing/stand-in';
import { fromMollie, toMollie } from '../money';

export const MOLLIE_KEY = { apiKey: 'test_aStandInOnThisMachine0123456789' };

type Status = 'open' | 'pending' | 'authorized' | 'paid' | 'failed' | 'canceled' | 'expired';
type Refund = {
  id: string;
  amountMinor: number;
  status: 'queued' | 'pending' | 'refunded' | 'failed' | 'canceled';
  metadata: unknown;
};
type Paid = {
  id: string;
  at: number;
  status: Status;
  amountMinor: number;
  currency: string;
  description: string;
  redirectUrl: string;
  webhookUrl?: string | undefined;
  metadata: unknown;
  paidAt: number | null;
  refunds: Refund[];
  isChargedBack: boolean;
};

const amount = z.object({ currency: z.string(), value: z.string() });
const created = z.object({
  amount,
  description: z.string().min(1).max(255),
  redirectUrl: z.url(),
  webhookUrl: z.url().optional(),
  metadata: z.unknown(),
});
const refunded = z.object({ amount, metadata: z.unknown() });
/** Some of the currencies that Mollie takes. */
const CURRENCIES = new Set(['EUR', 'USD', 'ISK', 'JPY', 'HUF']);
/** How much more than was paid Mollie sends back, in minor units. */
const OVER_REFUND = 2_500;
const ELSEWHERE = { amountMinor: 100, currency: 'EUR', description: 'x', redirectUrl: 'http://x.test/' };

/**
 * A server that behaves as Mollie's documentation says of payments, refunds, chargebacks, lists and idempotency keys, for the
 * real SDK. That speaks TLS alone and trusts its own list of authorities, so this process trusts everybody meanwhile.
 * `amountRefunded` leaves out refunds that are under way, because the documentation does not promise them.
 */
export class MollieStandIn extends StandIn {
  readonly name = 'mollie';
  readonly payments = new Map<string, Paid>();
  /** The bodies of the requests that make payments. */
  readonly bodies: unknown[] = [];
  /** How many reads of payments have to be there before one of them is answered. */
  meet = 0;
  #waiting: (() => void)[] = [];
  /** Where all requests are sent on to. */
  redirectTo: string | null = null;
  /** How long the SDK is told to wait after a fault, s. */
  retryAfter = 0;

  constructor() {
    super(true);
  }
  override async start(): Promise<void> {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    await super.start();
  }
  override async stop(): Promise<void> {
    await super.stop();
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
  settings(): object {
    return MOLLIE_KEY;
  }
  override get apiUrl(): string {
    return `${this.url}/v2`;
  }
  refusal(status: number, detail: string): Answer {
    return {
      status,
      body: { status, title: 'Refused', detail, _links: {} },
      headers: { 'retry-after': String(this.retryAfter) },
    };
  }
  pages(): string[] {
    return [...this.payments.keys()];
  }
  idOf(url: string): string {
    return new URL(url).pathname.slice('/checkout/'.length);
  }
  returnUrlOf(id: string): string {
    return this.payment(id).redirectUrl;
  }
  forgetPage(paymentId: string): Promise<unknown> {
    return db().molliePayment.delete({ where: { paymentId } });
  }
  age(paymentId: string, ms: number): Promise<unknown> {
    const claimedAt = new Date(Date.now() - ms);
    return db().molliePayment.update({ where: { paymentId }, data: { claimedAt } });
  }
  clear(): void {
    this.payments.clear();
  }

  pay(id: string): Paid {
    return this.#move(id, 'paid', ['open']);
  }
  payLater(id: string): Paid {
    return this.#move(id, 'pending', ['open']);
  }
  settle(id: string): Paid {
    return this.#move(id, 'paid', ['pending', 'authorized']);
  }
  authorize(id: string): Paid {
    return this.#move(id, 'authorized', ['open']);
  }
  fail(id: string): Paid {
    return this.#move(id, 'failed', ['pending']);
  }
  expire(id: string): Paid {
    return this.#move(id, 'expired', ['open']);
  }
  cancel(id: string): Paid {
    return this.#move(id, 'canceled', ['open']);
  }
  sendBack(id: string, amountMinor: number): void {
    this.payment(id).refunds.push({ id: newId('re'), amountMinor, status: 'refunded', metadata: null });
  }
  /** Two hours have passed. */
  sendRefunds(status: 'refunded' | 'failed' = 'refunded'): void {
    for (const { refunds } of this.payments.values())
      for (const refund of refunds) if (refund.status === 'pending') refund.status = status;
  }
  failRefunds(id: string): void {
    for (const refund of this.payment(id).refunds) refund.status = 'failed';
  }
  dispute(id: string): void {
    this.payment(id).isChargedBack = true;
  }
  takeElsewhere(at: number, paymentId?: string): void {
    const metadata = paymentId === undefined ? null : { paymentId, orderNo: '1', attempt: 1 };
    Object.assign(this.#make({ ...ELSEWHERE, metadata }, at), { status: 'paid', paidAt: at });
  }
  openElsewhere(): void {
    this.#make({ ...ELSEWHERE, metadata: null }, Date.now());
  }
  callback(_about: string, id: string): Callback {
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
    return { body: new URLSearchParams({ id }).toString(), headers };
  }
  payment(id: string): Paid {
    const payment = this.payments.get(id);
    if (!payment) throw new Error(`no payment ${id}`);
    return payment;
  }
  #move(id: string, status: Status, from: Status[]): Paid {
    const payment = this.payment(id);
    if (!from.includes(payment.status)) throw new Error(`${id} is ${payment.status}`);
    payment.status = status;
    if (status === 'paid') payment.paidAt = Date.now();
    return payment;
  }

  override async before({ what }: Asked): Promise<boolean> {
    if (this.meet === 0 || !what.startsWith('GET /v2/payments/tr_')) return false;
    await new Promise<void>((go) => {
      if (this.#waiting.push(go) < this.meet) return;
      this.meet = 0;
      for (const each of this.#waiting.splice(0)) each();
    });
    return false;
  }

  answer({ what, query, body, headers }: Asked): Answer {
    if (this.redirectTo !== null) return { status: 307, body: {}, headers: { location: this.redirectTo } };
    if (headers.authorization !== `Bearer ${MOLLIE_KEY.apiKey}`) return this.refusal(401, 'unauthorized');
    if (what === 'POST /v2/payments') return this.#create(JSON.parse(body));
    if (what === 'GET /v2/payments') return this.#list(query);
    const [, method, id = '', rest = ''] = /^(GET|POST) \/v2\/payments\/(\w+)(\/refunds)?$/.exec(what) ?? [];
    const payment = this.payments.get(id);
    if (!payment) return this.refusal(404, `No payment exists with token ${id}.`);
    if (method === 'POST' && rest) return this.#refund(payment, JSON.parse(body));
    return { status: 200, body: this.#view(payment, query.get('embed') === 'refunds') };
  }

  #create(body: unknown): Answer {
    this.bodies.push(body);
    const { data } = created.safeParse(body);
    if (!data) return this.refusal(422, 'a field is missing or wrong');
    if (!CURRENCIES.has(data.amount.currency))
      return this.refusal(422, 'no payment method takes this currency');
    const money = fromMollie(data.amount);
    if (toMollie(money).value !== data.amount.value)
      return this.refusal(422, 'the amount has a wrong format');
    if (data.webhookUrl && isPrivateHost(data.webhookUrl))
      return this.refusal(422, 'The webhook URL is invalid because it is unreachable');
    return { status: 201, body: this.#view(this.#make({ ...data, ...money }, Date.now())) };
  }
  #make(
    data: Pick<Paid, 'amountMinor' | 'currency' | 'description' | 'redirectUrl' | 'metadata'>,
    at: number,
  ): Paid {
    const id = newId('tr');
    const rest = { paidAt: null, refunds: [], isChargedBack: false };
    const payment: Paid = { ...data, id, at, status: 'open', ...rest };
    this.payments.set(id, payment);
    return payment;
  }

  #list(query: URLSearchParams): Answer {
    const all = [...this.payments.values()].sort((a, b) => a.at - b.at);
    if (query.get('sort') !== 'asc') all.reverse();
    const from = query.get('from');
    const begin = from === null ? 0 : all.findIndex(({ id }) => id === from);
    if (begin < 0) return this.refusal(404, `No payment exists with token ${from}.`);
    const limit = Math.min(Number(query.get('limit') ?? 50), 250);
    const page = all.slice(begin, begin + limit);
    const next = all[begin + limit];
    query.set('from', next?.id ?? '');
    const body = {
      count: page.length,
      _embedded: { payments: page.map((payment) => this.#view(payment)) },
      _links: { previous: null, next: next ? { href: `${this.url}/v2/payments?${query}` } : null },
    };
    return { status: 200, body };
  }

  #refund(payment: Paid, body: unknown): Answer {
    const { data } = refunded.safeParse(body);
    if (!data || data.amount.currency !== payment.currency) return this.refusal(422, 'the amount is wrong');
    const { amountMinor } = fromMollie(data.amount);
    const sent = payment.refunds.filter(isSent).reduce((sum, each) => sum + each.amountMinor, 0);
    if (payment.status !== 'paid' || sent + amountMinor > payment.amountMinor + OVER_REFUND)
      return this.refusal(422, 'The amount is higher than the maximum');
    const refund: Refund = { id: newId('re'), amountMinor, status: 'pending', metadata: data.metadata };
    payment.refunds.push(refund);
    this.refunds.push({ amountMinor });
    return { status: 201, body: viewOfRefund(payment, refund) };
  }

  #view(payment: Paid, withRefunds = false): object {
    const { id, at, status, currency, amountMinor, paidAt, refunds, isChargedBack } = payment;
    const { description, redirectUrl, metadata } = payment;
    const sum = (of: Refund[]) => of.reduce((total, each) => total + each.amountMinor, 0);
    const money = (minor: number) => toMollie({ amountMinor: minor, currency });
    const done = refunds.filter((each) => each.status === 'refunded');
    return {
      resource: 'payment',
      id,
      mode: 'test',
      createdAt: new Date(at).toISOString(),
      status,
      amount: money(amountMinor),
      description,
      redirectUrl,
      metadata,
      profileId: 'pfl_standin',
      sequenceType: 'oneoff',
      ...(paidAt !== null && {
        paidAt: new Date(paidAt).toISOString(),
        amountRefunded: money(sum(done)),
        details: { consumerName: 'Ada', consumerAccount: 'NL53INGB0654422370' },
      }),
      ...(isChargedBack && { amountChargedBack: money(amountMinor) }),
      _links: {
        ...(status === 'open' && { checkout: { href: `${this.url}/checkout/${id}`, type: 'text/html' } }),
        ...(refunds.length > 0 && { refunds: { href: `${this.url}/v2/payments/${id}/refunds` } }),
      },
      ...(withRefunds && { _embedded: { refunds: refunds.map((each) => viewOfRefund(payment, each)) } }),
    };
  }
}

const isSent = ({ status }: Refund) => status !== 'failed' && status !== 'canceled';

const viewOfRefund = ({ id: paymentId, currency }: Paid, { amountMinor, ...refund }: Refund): object => ({
  resource: 'refund',
  mode: 'test',
  ...refund,
  amount: toMollie({ amountMinor, currency }),
  description: '',
  paymentId,
  createdAt: new Date().toISOString(),
  _links: {},
});

const newId = (kind: 'tr' | 're') => `${kind}_${randomBytes(12).toString('hex')}`;
