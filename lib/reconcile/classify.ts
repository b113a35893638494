import type { Difference } from '@/lib/contract/shapes/reconcile';
import type { DifferenceKind, Repair } from '@/lib/contract/words/reconcile';
import { type Evidence, isSamePurchase } from '@/lib/verify/judge-purchase';
import type { OrderAccount } from '@/lib/verify/types';

type Class = { status: 'fine' | 'in_flight' } | { status: 'different'; difference: Difference };

/**
 * How long an executor that we can't search may take for a purchase before it is sent again. It may only be slow: then
 * the order is written once all the same. An Inngest server that is restarted forgets what it had just taken.
 */
const RESEND_AFTER_MS = 2 * 60_000;
const FINE: Class = { status: 'fine' };
const IN_FLIGHT: Class = { status: 'in_flight' };

/**
 * Names what is wrong with one purchase or order, and what would repair it. An outcome on its way to Redis counts as
 * a difference here; the second look shows whether it has arrived. Pure.
 */
export function classify(evidence: Evidence): Class {
  const { orderNo, userId, order, purchase } = evidence;
  const differs = (kind: DifferenceKind, detail: string, repair: Repair | null): Class => ({
    status: 'different',
    difference: { kind, orderNo, userId, detail, repair },
  });
  if (order) return classifyOrder(order, evidence, differs);
  if (!purchase) return FINE;

  const { state, quantity: units } = purchase;
  const { whereabouts } = evidence;
  if (state === 'sold') return differs('phantom_unit', `${units} units are sold without an order`, null);
  switch (whereabouts.place) {
    case 'outbox':
    case 'executor':
      return IN_FLIGHT;
    case 'dead_letter':
      if (state === 'released') return FINE;
      return differs('lost_release', `${units} units of a dead letter are held`, 'release');
    case 'nowhere':
      if (state === 'released') {
        return differs('orphan_hold', 'was given back without an order or a dead letter', null);
      }
      if (evidence.isExecutorRemote && whereabouts.acceptedAgoMs < RESEND_AFTER_MS) return IN_FLIGHT;
      return differs('orphan_hold', `${units} units are held, the message is lost`, 'resend');
  }
}

type Differs = (kind: DifferenceKind, detail: string, repair: Repair | null) => Class;

function classifyOrder(order: OrderAccount, { purchase, userId }: Evidence, differs: Differs): Class {
  const { status, units } = order;
  const isLive = status === 'pending_payment' || status === 'paid';
  if (order.userId !== userId)
    return differs('excess_order', `belongs to ${order.userId}, not to the buyer`, null);
  // The order ended before a rebuild, which therefore did not load it.
  if (!purchase)
    return isLive ? differs('excess_order', `${status}, Redis knows no purchase of it`, 'retake') : FINE;
  if (!isSamePurchase(purchase, order)) {
    return differs(
      'excess_order',
      'is not the purchase that was accepted (units, variant or token differ)',
      null,
    );
  }
  // The sweep settles the refund: only its row says whether the units are for sale again or written off.
  if (status === 'refunded' && !order.settled) return FINE;
  const detail = `${status}, its ${units} units are ${purchase.state}`;
  switch (purchase.state) {
    case 'held':
      if (status === 'pending_payment') return FINE;
      return status === 'paid'
        ? differs('lost_confirm', detail, 'confirm')
        : differs('lost_release', detail, 'release');
    case 'sold':
      if (status === 'paid') return FINE;
      // Counted as sold because of late money that was sent back after all: the command to Redis was delayed.
      return differs('phantom_unit', detail, status === 'pending_payment' ? null : 'take_back');
    case 'released':
      return isLive ? differs('excess_order', detail, 'retake') : FINE;
  }
}
