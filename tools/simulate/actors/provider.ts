import type {
  Money,
  PaymentEvent,
  PaymentProvider,
  ProviderState,
  StatementLine,
} from '@/lib/payment/provider';
import type { SimProcess } from '../sim-process';
import type { World } from '../world';

type Account = Money & {
  outcome: 'succeeded' | 'failed';
  refundedAt: number | null;
  /** The provider took a different amount or currency than its page asked for. */
  isWrong: boolean;
  /** When the payment enters the books, epoch ms. */
  bookedAt: number;
};

/** A callback is sent at most this often until the shop accepts it; for some payments none ever gets through. */
const MAX_SENDS = 4;
/** The books may lag behind the money by at most this, ms. */
const BEHIND_MS = 6_000;

/** Takes the money: keeps its own books, sends callbacks, and answers questions about payments. */
export class Provider {
  /** The true state of the money, by payment id. */
  readonly accounts = new Map<string, Account>();
  /** How often the money of a payment was sent back. */
  readonly refunds = new Map<string, number>();

  constructor(private readonly world: World) {}

  /**
   * Records the payment of a shopper, who pays the amount that the page asks for. Sometimes the provider takes
   * another amount.
   */
  pay(payment: Money & { paymentId: string }, outcome: 'succeeded' | 'failed'): void {
    const { world } = this;
    const { paymentId } = payment;
    if (this.accounts.get(paymentId)?.outcome === 'succeeded') return;
    const isWrong = outcome === 'succeeded' && world.strikes('wrong money', world.profile.wrong);
    const taken = isWrong ? this.wrong(payment) : payment;
    const { amountMinor, currency } = taken;
    const behindMs = world.strikes('books behind', world.profile.wrong) ? world.random.next() * BEHIND_MS : 0;
    const bookedAt = world.time.now + behindMs;
    this.accounts.set(paymentId, { amountMinor, currency, outcome, refundedAt: null, isWrong, bookedAt });
    world.tell('provider', `${paymentId} ${outcome} ${amountMinor} ${currency}`);
    const isMute = world.strikes('callback lost', world.profile.duplicate / 2);
    // The figures in a callback may differ from the books.
    const said = world.strikes('callback wrong', world.profile.wrong) ? this.wrong(payment) : taken;
    const event: PaymentEvent = {
      webhookId: world.nextId('hook'),
      type: `payment.${outcome}`,
      paymentId,
      payload: {},
      amountMinor: said.amountMinor,
      currency: said.currency,
    };
    if (!isMute) this.send(event, 1);
    if (world.strikes('duplicate', world.profile.duplicate))
      this.send({ ...event, webhookId: world.nextId('hook') }, 1);
  }

  asSeenBy(process: SimProcess): PaymentProvider {
    const ask = <T>(what: string, effect: () => T) => process.call('executor', what, effect);
    return {
      name: 'sandbox',
      createRedirectUrl: async ({ amountMinor, currency }) => `/pay?asks=${amountMinor}&in=${currency}`,
      queryState: (paymentId) => ask(`ask about ${paymentId}`, () => this.stateOf(paymentId)),
      queryStates: (paymentIds) =>
        ask('ask about many', () => new Map(paymentIds.map((id) => [id, this.stateOf(id)]))),
      readStatement: () => ask('read statement', () => ({ lines: this.statement(), next: null })),
      refund: (refund) => ask(`refund ${refund.paymentId}`, () => this.refund(refund)),
      verifyWebhook: () => ({ status: 'malformed', detail: 'callbacks are not signed here' }),
    };
  }

  private wrong({ amountMinor, currency }: Money): Money {
    return this.world.random.chance(0.7)
      ? { amountMinor: amountMinor - 1, currency }
      : { amountMinor, currency: 'EUR' };
  }

  private stateOf(paymentId: string): ProviderState {
    const account = this.accounts.get(paymentId);
    if (!account || account.bookedAt > this.world.time.now) return { status: 'unknown' };
    const { outcome, refundedAt, amountMinor, currency } = account;
    return { status: refundedAt === null ? outcome : 'refunded', amountMinor, currency };
  }

  private statement(): StatementLine[] {
    return [...this.accounts].flatMap(([paymentId, { bookedAt: at }]) => {
      const state = this.stateOf(paymentId);
      return state.status === 'succeeded' || state.status === 'refunded'
        ? [{ ...state, status: state.status, paymentId, at }]
        : [];
    });
  }

  private refund({ paymentId, amountMinor, currency }: Money & { paymentId: string }): void {
    const account = this.accounts.get(paymentId);
    if (account?.outcome !== 'succeeded') {
      this.world.violate(`7: ${paymentId} was refunded and never paid`);
      return;
    }
    if (account.amountMinor !== amountMinor || account.currency !== currency)
      this.world.violate(
        `7: ${amountMinor} ${currency} of ${paymentId} were sent back, which were not taken`,
      );
    account.refundedAt ??= this.world.time.now;
    this.refunds.set(paymentId, (this.refunds.get(paymentId) ?? 0) + 1);
  }

  private send(event: PaymentEvent, nth: number): void {
    const { world } = this;
    const delayMs = world.random.chance(0.8) ? world.random.next() * 200 : world.random.next() * 30_000;
    world.time.after(delayMs, async () => {
      const answer = await world.request((web) => web.api.applyPaymentEvent('sandbox', event));
      if (answer === null && nth < MAX_SENDS) this.send(event, nth + 1);
      if (answer !== null && world.strikes('duplicate', world.profile.duplicate)) this.send(event, MAX_SENDS);
    });
  }
}
