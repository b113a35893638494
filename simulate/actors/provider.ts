import type { PaymentEvent, PaymentProvider, ProviderState } from '@/lib/payment/provider';
import type { SimProcess } from '../sim-process';
import type { World } from '../world';

type Account = {
  amountMinor: number;
  currency: string;
  outcome: 'succeeded' | 'failed';
  refundedAt: number | null;
};

/** Callbacks are sent again until one is taken, at most so often; some providers never get through at all. */
const MAX_SENDS = 4;

/** Who takes the money: its own books, its callbacks, and what it says when it is asked. */
export class Provider {
  /** By payment id: the truth about the money. */
  readonly accounts = new Map<string, Account>();
  /** How often the money of a payment was sent back. */
  readonly refunds = new Map<string, number>();

  constructor(private readonly world: World) {}

  /** The shopper pays on the provider's page. */
  pay(
    payment: { paymentId: string; amountMinor: number; currency: string },
    outcome: 'succeeded' | 'failed',
  ): void {
    const { world } = this;
    const { paymentId, amountMinor, currency } = payment;
    if (this.accounts.get(paymentId)?.outcome === 'succeeded') return;
    this.accounts.set(paymentId, { amountMinor, currency, outcome, refundedAt: null });
    world.tell('provider', `${paymentId} ${outcome}`);
    const isMute = world.strikes('callback lost', world.mood.duplicate / 2);
    const event: PaymentEvent = {
      ...{ webhookId: world.nextId('hook'), type: `payment.${outcome}`, paymentId, amountMinor, currency },
      payload: {},
    };
    if (!isMute) this.send(event, 1);
    if (world.strikes('duplicate', world.mood.duplicate))
      this.send({ ...event, webhookId: world.nextId('hook') }, 1);
  }

  asSeenBy(process: SimProcess): PaymentProvider {
    const ask = <T>(what: string, effect: () => T) => process.call('executor', what, effect);
    return {
      name: 'sandbox',
      createRedirectUrl: async () => '/pay',
      queryState: (paymentId) => ask(`ask about ${paymentId}`, () => this.stateOf(paymentId)),
      refund: ({ paymentId }) => ask(`refund ${paymentId}`, () => this.refund(paymentId)),
      verifyWebhook: () => ({ status: 'malformed', detail: 'callbacks are not signed here' }),
    };
  }

  private stateOf(paymentId: string): ProviderState {
    const account = this.accounts.get(paymentId);
    if (!account) return { status: 'unknown' };
    return { status: account.outcome, amountMinor: account.amountMinor, currency: account.currency };
  }

  private refund(paymentId: string): void {
    const account = this.accounts.get(paymentId);
    if (account?.outcome !== 'succeeded') {
      this.world.violate(`7: ${paymentId} was refunded and never paid`);
      return;
    }
    account.refundedAt ??= this.world.time.now;
    this.refunds.set(paymentId, (this.refunds.get(paymentId) ?? 0) + 1);
  }

  private send(event: PaymentEvent, nth: number): void {
    const { world } = this;
    const delayMs = world.random.chance(0.8) ? world.random.next() * 200 : world.random.next() * 30_000;
    world.time.after(delayMs, async () => {
      const answer = await world.request((web) => web.api.applyPaymentEvent('sandbox', event));
      if (answer === null && nth < MAX_SENDS) this.send(event, nth + 1);
      if (answer !== null && world.strikes('duplicate', world.mood.duplicate)) this.send(event, MAX_SENDS);
    });
  }
}
