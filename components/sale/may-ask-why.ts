import type { BuyView } from './buy-view';

/** Says whether the shop has refused the shopper, so that "Why?" makes sense. */
export function mayAskWhy(view: BuyView): boolean {
  switch (view.kind) {
    case 'soldOut':
    case 'waitlistJoin':
    case 'waitlistClosed':
    case 'ended':
    case 'notEligible':
      return true;
    case 'buy':
    case 'locked':
      return view.refusal !== null;
    default:
      return false;
  }
}
