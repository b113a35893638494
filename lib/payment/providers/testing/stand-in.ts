import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { selfSigned } from '@/deploy/nginx/testing/self-signed';
import type { Company } from '@/lib/contract/words/payment';
import { env } from '@/lib/env';

/**
 * `lost`: it is done, and the answer never comes. `silent`: nothing is done, and no answer comes. `empty`: refused, because the
 * balance is empty. `twice`: refused, as if the same was under way. `none`: all is well.
 */
export type Fault = 'lost' | 'silent' | 'empty' | 'twice' | 'none' | 429 | 500;
export type Answer = { status: number; body: object; headers?: Record<string, string> };
export type Asked = {
  /** `GET /v1/charges` */
  what: string;
  query: URLSearchParams;
  body: string;
  headers: IncomingMessage['headers'];
};
export type Callback = { body: string; headers: Headers };
/** News of a payment that a company tells. */
export type Told = 'paid' | 'failed' | 'disputed' | 'refunded' | 'refund_failed';

/**
 * A server that behaves as a company's documentation says, for its real SDK. While it runs, the settings have a test key of the
 * company, and its address. What all companies do is here: idempotency keys, faults of the way and of the server.
 */
export abstract class StandIn {
  abstract readonly name: Company;
  readonly asked: string[] = [];
  /** The faults of the next requests, in this order. */
  readonly faults: Fault[] = [];
  /** The money that was sent back, in the order in which it was asked for. */
  readonly refunds: { amountMinor: number }[] = [];
  readonly #kept = new Map<string, { terms: string; answer: Answer }>();
  readonly #server;
  readonly #isTls: boolean;
  #port = 0;

  constructor(isTls = false) {
    const serve = (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response);
    this.#isTls = isTls;
    const { certificate: cert, key } = selfSigned(['localhost']);
    this.#server = isTls ? createTlsServer({ cert, key }, serve) : createServer(serve);
  }

  /** The company's settings with a key for tests. */
  protected abstract settings(): object;
  protected abstract refusal(status: number, reason: string): Answer;
  protected abstract answer(asked: Asked): Answer;
  /** Lets a request wait, or answers it in another way. @returns true if it has an answer */
  protected before(_asked: Asked, _response: ServerResponse): boolean | Promise<boolean> {
    return false;
  }

  /** The ids of all pages that were made, oldest first. */
  abstract pages(): string[];
  abstract idOf(url: string): string;
  /** Where a shopper goes afterwards. */
  abstract returnUrlOf(id: string): string;
  /** Pays in full. */
  abstract pay(id: string): unknown;
  /** Begins to pay in a way that takes its time; `settle` or `fail` ends it. */
  abstract payLater(id: string): unknown;
  abstract settle(id: string): unknown;
  abstract fail(id: string): unknown;
  abstract expire(id: string): unknown;
  /** Staff of the shop send money back there. */
  abstract sendBack(id: string, amountMinor: number): void;
  /** No bank takes the money that was sent back: the company holds it again. */
  abstract failRefunds(id: string): void;
  /** The payer asks the bank for the money. */
  abstract dispute(id: string): unknown;
  /** Puts a euro into the books that this process has not asked for. @param at epoch ms */
  abstract takeElsewhere(at: number, paymentId?: string): void;
  /** Makes a page that is none of this shop. */
  abstract openElsewhere(): void;
  /** The callback that the company sends about a page. */
  abstract callback(about: Told, id: string): Callback;
  /** Forgets where money was taken by us, as a database does that was restored. */
  abstract forgetPage(paymentId: string): Promise<unknown>;
  /** Lets time pass since we first asked for a payment's page. */
  abstract age(paymentId: string, ms: number): Promise<unknown>;
  /** Loses everything: it is another account. */
  abstract clear(): void;
  /** So much time has passed that the same key does the same thing again. */
  forgetKeys(): void {
    this.#kept.clear();
  }

  async start(): Promise<void> {
    await this.listen();
    this.setUp();
  }
  /** Serves alone, for another process that has the settings. @param port 0: any that is free */
  async listen(port = 0): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(port, '127.0.0.1', done));
    this.#port = (this.#server.address() as AddressInfo).port;
  }
  /** Puts the company's settings in place. */
  setUp(): void {
    Object.assign(env(), { [this.name]: { ...this.settings(), isLive: false, apiUrl: this.apiUrl } });
  }
  get url(): string {
    return `${this.#isTls ? 'https' : 'http'}://127.0.0.1:${this.#port}`;
  }
  /** The address that the settings name. */
  get apiUrl(): string {
    return this.url;
  }
  async stop(): Promise<void> {
    Object.assign(env(), { [this.name]: null });
    await this.shutDown();
  }
  /** Ends the server alone. */
  async shutDown(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
  /** The connections that are open. */
  connections = (): Promise<number> =>
    new Promise((done, fail) =>
      this.#server.getConnections((error, count) => (error ? fail(error) : done(count))),
    );

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', this.url);
    const { method, headers } = request;
    const asked = { what: `${method} ${pathname}`, query, body: await text(request), headers };
    if (await this.before(asked, response)) return;
    this.asked.push(asked.what);
    const fault = this.faults.shift();
    if (fault === 'silent') return;
    if (fault === 429) return send(response, this.refusal(429, 'rate_limit'));
    if (fault === 'twice') return send(response, this.refusal(409, 'under_way'));
    const answer = this.#once(asked, () => {
      if (fault === 500) return this.refusal(500, 'api_error');
      if (fault === 'empty') return this.refusal(422, 'balance_insufficient');
      return this.answer(asked);
    });
    if (fault === 'lost') response.destroy();
    else send(response, answer);
  }

  /** The same key gets the same answer, also a fault; with other terms it is refused. */
  #once({ what, query, body, headers }: Asked, work: () => Answer): Answer {
    const key = headers['idempotency-key'];
    if (typeof key !== 'string') return work();
    const terms = [what, query, body].join('\n');
    const kept = this.#kept.get(key);
    if (kept) return kept.terms === terms ? kept.answer : this.refusal(400, 'idempotency_error');
    const answer = work();
    this.#kept.set(key, { terms, answer });
    return answer;
  }
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
