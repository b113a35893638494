import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import Stripe from 'stripe';
import { db } from '@/lib/db/client';
import { type Answer, type Asked, type Callback, StandIn, type Told } from '../../testing/stand-in';

export const STRIPE_SECRETS = {
  secretKey: 'sk_test_aStandInOnThisMachine',
  webhookSecret: 'whsec_aStandInOnThisMachine0123',
};

type Session = {
  id: string;
  created: number;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  client_reference_id: string;
  amount_total: number;
  currency: string;
  expires_at: number;
  success_url: string;
  metadata: Record<string, string>;
  intent: { id: string; status: string; charge: Charge | null };
};
type Charge = {
  id: string;
  amount_captured: number;
  amount_refunded: number;
  currency: string;
  refunded: boolean;
  paid: boolean;
  disputed: boolean;
  metadata: Record<string, string>;
};
type Booked = { id: string; type: string; created: number; source: Charge };
/**
 * A server that behaves as Stripe's documentation says of sessions, refunds, balance and idempotency keys, for the
 * real SDK. A shopper pays on its page, or by `pay`.
 */
export class StripeStandIn extends StandIn {
  readonly name = 'stripe';
  readonly sessions = new Map<string, Session>();
  /** Where events go when somebody pays on the page. */
  webhookUrl: string | null = null;
  readonly #booked: Booked[] = [];
  readonly #declined: Charge[] = [];

  settings(): object {
    return STRIPE_SECRETS;
  }
  refusal(status: number, code: string): Answer {
    return refusal(status, code);
  }
  pages(): string[] {
    return [...this.sessions.keys()];
  }
  idOf(url: string): string {
    return new URL(url).pathname.slice('/page/'.length);
  }
  returnUrlOf(id: string): string {
    return this.#session(id).success_url;
  }
  forgetPage(paymentId: string): Promise<unknown> {
    return db().stripeSession.delete({ where: { paymentId } });
  }
  age(paymentId: string, ms: number): Promise<unknown> {
    const claimedAt = new Date(Date.now() - ms);
    return db().stripeSession.update({ where: { paymentId }, data: { claimedAt } });
  }
  clear(): void {
    this.sessions.clear();
  }

  /** Pays a session in full; `bank`: the money comes later, by `settle`. */
  pay(sessionId: string, by: 'card' | 'bank' = 'card'): Session {
    const session = this.#open(sessionId);
    session.status = 'complete';
    session.intent.status = 'processing';
    if (by === 'card') this.settle(sessionId);
    return session;
  }
  payLater(sessionId: string): Session {
    return this.pay(sessionId, 'bank');
  }
  settle(sessionId: string, type: 'charge' | 'payment' = 'charge'): Session {
    const session = this.#session(sessionId);
    const { amount_total, currency, metadata, intent } = session;
    intent.charge = newCharge(currency, metadata, amount_total);
    intent.status = 'succeeded';
    session.payment_status = 'paid';
    const created = this.#now();
    this.#booked.push({ id: `txn_${randomUUID()}`, type, created, source: intent.charge });
    return session;
  }
  /** A card is declined; the page stays open. */
  decline(sessionId: string): Session {
    const session = this.#open(sessionId);
    this.#declined.push({ ...newCharge(session.currency, session.metadata, 0), paid: false });
    return session;
  }
  /** Money that was under way does not come. */
  fail(sessionId: string): Session {
    const session = this.#session(sessionId);
    session.intent.status = 'requires_payment_method';
    return session;
  }
  /** The payer disputes a charge. @returns the event of that type */
  disputed(charge: Charge | null, type = 'charge.dispute.created', id?: string): Callback {
    if (charge) charge.disputed = true;
    const object = {
      id: 'dp_1',
      object: 'dispute',
      charge: charge?.id,
      reason: 'fraudulent',
      status: 'lost',
    };
    return this.#event(type, object, id);
  }
  dispute(sessionId: string): void {
    this.disputed(this.#session(sessionId).intent.charge);
  }
  sendBack(sessionId: string, amount: number): void {
    const { charge } = this.#session(sessionId).intent;
    if (charge) charge.amount_refunded += amount;
  }
  failRefunds(sessionId: string): void {
    const { charge } = this.#session(sessionId).intent;
    if (charge) Object.assign(charge, { amount_refunded: 0, refunded: false });
  }
  expire(sessionId: string): Session {
    const session = this.#open(sessionId);
    session.status = 'expired';
    return session;
  }
  takeElsewhere(at: number, paymentId?: string): void {
    const source = newCharge('eur', paymentId === undefined ? {} : { paymentId }, 100);
    const created = Math.floor(at / 1_000);
    this.#booked.push({ id: `txn_${randomUUID()}`, type: 'charge', created, source });
  }
  openElsewhere(): void {
    const terms = 'line_items[0][price_data]';
    this.#create(
      new URLSearchParams({
        [`${terms}[unit_amount]`]: '100',
        [`${terms}[currency]`]: 'eur',
        expires_at: String(this.#now() + 3_600),
      }),
    );
  }
  lastCharge = (): Charge | null => this.#booked.at(-1)?.source ?? null;
  /** Returns an event about a session as Stripe sends it: the body and its signature. */
  event(type: string, session: Session, id?: string): Callback {
    return this.#event(type, this.#view(session), id);
  }
  callback(about: Told, sessionId: string): Callback {
    const session = this.#session(sessionId);
    const { charge } = session.intent;
    switch (about) {
      case 'paid':
        return this.event('checkout.session.completed', session);
      case 'failed':
        return this.event('checkout.session.expired', session);
      case 'disputed':
        return this.disputed(charge);
      case 'refunded':
        return this.#event('charge.refunded', { ...charge, object: 'charge' });
      case 'refund_failed':
        return this.#event('refund.failed', { id: 're_1', object: 'refund', charge: charge?.id });
    }
  }
  #event(type: string, object: object, id = `evt_${randomUUID()}`) {
    const body = JSON.stringify({ id, object: 'event', type, created: this.#now(), data: { object } });
    return { body, headers: sign(body) };
  }

  #now = () => Math.floor(Date.now() / 1_000);
  #session(id: string): Session {
    const session = this.sessions.get(id);
    if (!session) throw new Error(`no session ${id}`);
    return session;
  }
  #open(id: string): Session {
    const session = this.#session(id);
    if (session.status !== 'open') throw new Error(`${id} is ${session.status}`);
    return session;
  }

  override async before(asked: Asked, response: ServerResponse): Promise<boolean> {
    const [method, path = ''] = asked.what.split(' ');
    if (!path.startsWith('/page/')) return false;
    await this.#page(method === 'POST', path, new URLSearchParams(asked.body), response);
    return true;
  }

  answer({ what, query, body }: Asked): Answer {
    return this.#do(what, what.startsWith('POST') ? new URLSearchParams(body) : query);
  }

  #do(what: string, given: URLSearchParams): Answer {
    const [, id = ''] = /^GET \/v1\/checkout\/sessions\/(.+)$/.exec(what) ?? [];
    if (id) {
      const session = this.sessions.get(id);
      return session ? { status: 200, body: this.#view(session) } : refusal(404, 'resource_missing');
    }
    const [, chargeId = ''] = /^GET \/v1\/charges\/(ch_.+)$/.exec(what) ?? [];
    if (chargeId) {
      const booked = this.#booked.find(({ source }) => source.id === chargeId);
      return booked ? { status: 200, body: booked.source } : refusal(404, 'resource_missing');
    }
    switch (what) {
      case 'POST /v1/checkout/sessions':
        return this.#create(given);
      case 'GET /v1/checkout/sessions':
        return list([...this.sessions.values()], given, (session) => this.#view(session));
      case 'GET /v1/charges/search':
        return this.#search(given.get('query') ?? '', Number(given.get('page') ?? 0));
      case 'GET /v1/balance_transactions':
        return list(this.#booked, given, (booked) => booked);
      case 'POST /v1/refunds':
        return this.#refund(given);
      default:
        return refusal(404, 'resource_missing');
    }
  }

  /** Joins up to ten clauses by OR, in pages of two; other queries of the language are refused. */
  #search(query: string, page: number): Answer {
    const ids = query.split(' OR ').map((clause) => /^metadata\['paymentId'\]:'([\w-]+)'$/.exec(clause)?.[1]);
    if (ids.length > 10 || ids.includes(undefined)) return refusal(400, 'search_query_invalid');
    const all = [...this.#declined, ...this.#booked.map(({ source }) => source)];
    const found = all.filter(({ metadata }) => ids.includes(metadata.paymentId));
    const has_more = found.length > 2 * page + 2;
    const next_page = has_more ? String(page + 1) : null;
    const data = found.slice(2 * page, 2 * page + 2);
    return { status: 200, body: { object: 'search_result', data, has_more, next_page } };
  }

  #create(given: URLSearchParams): Answer {
    const id = `cs_test_${randomUUID()}`;
    const amount = Number(given.get('line_items[0][price_data][unit_amount]'));
    const expiresAt = Number(given.get('expires_at'));
    const created = this.#now();
    if (!Number.isInteger(amount) || amount < 50) return refusal(400, 'amount_too_small');
    if (expiresAt < created + 1_800 || expiresAt > created + 86_400)
      return refusal(400, 'parameter_invalid_integer');
    const metadata = Object.fromEntries(
      ['paymentId', 'orderNo'].map((name) => [
        name,
        given.get(`payment_intent_data[metadata][${name}]`) ?? '',
      ]),
    );
    const session: Session = {
      id,
      created,
      status: 'open',
      payment_status: 'unpaid',
      client_reference_id: given.get('client_reference_id') ?? '',
      amount_total: amount,
      currency: given.get('line_items[0][price_data][currency]') ?? '',
      expires_at: expiresAt,
      success_url: given.get('success_url') ?? '',
      metadata,
      intent: { id: `pi_${randomUUID()}`, status: 'requires_payment_method', charge: null },
    };
    this.sessions.set(id, session);
    return { status: 200, body: this.#view(session) };
  }

  #refund(given: URLSearchParams): Answer {
    const intent = given.get('payment_intent');
    const session = [...this.sessions.values()].find((each) => each.intent.id === intent);
    const booked = this.#booked.find(({ source }) => source.id === given.get('charge'));
    const charge = session?.intent.charge ?? booked?.source;
    if (!charge) return refusal(400, 'resource_missing');
    const amount = Number(given.get('amount') ?? charge.amount_captured - charge.amount_refunded);
    if (charge.refunded) return refusal(400, 'charge_already_refunded');
    if (charge.amount_refunded + amount > charge.amount_captured) return refusal(400, 'amount_too_large');
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount_captured;
    this.refunds.push({ amountMinor: amount });
    return { status: 200, body: { id: `re_${randomUUID()}`, object: 'refund', amount, status: 'succeeded' } };
  }

  #view({ intent, ...session }: Session): object {
    return {
      ...session,
      object: 'checkout.session',
      url: session.status === 'open' ? `${this.url}/page/${session.id}` : null,
      payment_intent: { id: intent.id, status: intent.status, latest_charge: intent.charge },
    };
  }

  /** The page on which a shopper pays, for browsers. */
  async #page(
    isPost: boolean,
    path: string,
    given: URLSearchParams,
    response: ServerResponse,
  ): Promise<void> {
    const id = path.slice('/page/'.length);
    if (isPost && given.get('pay')) {
      const session = this.pay(id);
      if (this.webhookUrl)
        await fetch(this.webhookUrl, {
          method: 'POST',
          ...this.event('checkout.session.completed', session),
        });
      response.writeHead(303, { location: session.success_url }).end();
      return;
    }
    const { amount_total, currency } = this.#session(id);
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<form method="post"><p>${amount_total} ${currency}</p><button name="pay" value="1">Pay</button></form>`,
      );
  }
}

/** Returns the headers of a signed event. */
export function sign(body: string, secret = STRIPE_SECRETS.webhookSecret, ageSec = 0): Headers {
  const timestamp = Math.floor(Date.now() / 1_000) - ageSec;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  return new Headers({ 'stripe-signature': signature, 'content-type': 'application/json' });
}

const newCharge = (currency: string, metadata: Record<string, string>, amount: number): Charge => ({
  id: `ch_${randomUUID()}`,
  amount_captured: amount,
  amount_refunded: 0,
  currency,
  refunded: false,
  paid: true,
  disputed: false,
  metadata,
});

/** Stripe says 400 of everything that is wrong with a request. */
const refusal = (status: number, code: string): Answer => ({
  status: status === 422 ? 400 : status,
  body: { error: { type: 'invalid_request_error', code, message: code } },
  headers: { 'request-id': randomUUID() },
});

/** Lists the newest first, as Stripe does. */
function list<T extends { id: string; created: number }>(
  all: readonly T[],
  given: URLSearchParams,
  view: (one: T) => object,
): Answer {
  const bound = (name: string, otherwise: number) => Number(given.get(`created[${name}]`) ?? otherwise);
  const [from, until, last] = [bound('gte', 0), bound('lt', Infinity), bound('lte', Infinity)];
  const found = all
    .filter(({ created }) => created >= from && created < until && created <= last)
    .sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1));
  const after = given.get('starting_after');
  const begin = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1;
  const page = found.slice(begin, begin + Number(given.get('limit') ?? 10));
  return {
    status: 200,
    body: { object: 'list', data: page.map(view), has_more: begin + page.length < found.length },
  };
}
