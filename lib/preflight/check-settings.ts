import type { SaleLimits } from '@/lib/contract/shapes/limit';
import type { Check } from '@/lib/contract/shapes/preflight';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { failed, passed } from './make-check';

const DAY_SEC = 86_400;
/** In less time than this a shopper can't type in a card number. */
const SHORT_PAYMENT_SEC = 120;
/** The first try, and one more after a lost answer. */
const HONEST_TRIES = 2;
/** A family or an office behind one address. */
const HOUSEHOLD = 3;

/**
 * Checks what a sale's own settings say about how it will go. Gives only warnings: a merchant may want such a sale,
 * and most of them appear in tests and rehearsals.
 * @param now ms. @param isMailSent whether mails leave this machine
 */
export function checkSettings(sale: SaleInfo, now: number, isMailSent: boolean): Check[] {
  return [
    checkWindow(sale, now),
    checkPayment(sale),
    checkReservation(sale, now),
    checkLimits(sale),
    checkMail(sale, isMailSent),
  ];
}

function checkWindow({ startsAt, endsAt }: SaleInfo, now: number): Check {
  if (endsAt <= now) return failed('warn', 'window', 'over', 'The sale is over before anybody can buy.');
  if (startsAt <= now)
    return failed('warn', 'window', 'started', 'The start has passed: the sale begins at once.');
  return passed('window', 'The sale starts in the future.', {
    startsInSec: Math.round((startsAt - now) / 1_000),
  });
}

function checkPayment({ paymentWindowSec }: SaleInfo): Check {
  const values = { paymentWindowSec };
  if (paymentWindowSec < SHORT_PAYMENT_SEC)
    return failed('warn', 'payment', 'short', `Shoppers have ${paymentWindowSec} s to pay.`, values);
  if (paymentWindowSec > DAY_SEC)
    return failed('warn', 'payment', 'long', 'Unpaid pieces are held for more than a day.', values);
  return passed('payment', 'There is time to pay.', values);
}

function checkReservation({ reservation }: SaleInfo, now: number): Check {
  if (!reservation) return passed('reservation', 'Anybody may buy.');
  return reservation.closesAt <= now
    ? failed(
        'warn',
        'reservation',
        'over',
        'Nobody can reserve any more, and only those who reserved may buy.',
      )
    : passed('reservation', 'Shoppers can reserve before the start.');
}

function checkLimits({ limits, limitPerUser, totalStock, startsAt, endsAt }: SaleInfo): Check {
  const { user, ip, interface: all } = limits ?? ({} as SaleLimits);
  const tries = Math.max(HONEST_TRIES, limitPerUser);
  if (user && user.limit < tries) {
    const values = { limit: user.limit, needed: tries };
    return failed('warn', 'limits', 'user_low', `An honest shopper may need ${tries} tries.`, values);
  }
  if (ip && ip.limit < HOUSEHOLD * (user?.limit ?? 1))
    return failed('warn', 'limits', 'ip_low', 'Three shoppers behind one address get in each other’s way.', {
      limit: ip.limit,
      needed: HOUSEHOLD * (user?.limit ?? 1),
    });
  if (all && ip && all.limit < ip.limit)
    return failed('warn', 'limits', 'interface_low', 'One address alone can use up what everybody has.', {
      limit: all.limit,
      needed: ip.limit,
    });
  if (all && totalStock > 0) {
    const requests = Math.floor(((endsAt - startsAt) / 1_000 / all.windowSec) * all.limit);
    // One request may buy as many units as one person may have.
    if (requests * limitPerUser < totalStock)
      return failed(
        'warn',
        'limits',
        'never_sold_out',
        'The limit of all together lets too few in to sell everything.',
        {
          limit: requests * limitPerUser,
          needed: totalStock,
        },
      );
  }
  return passed('limits', limits ? 'The limits leave room for honest shoppers.' : 'Nobody is limited.');
}

function checkMail({ requireVerifiedEmail }: SaleInfo, isMailSent: boolean): Check {
  if (!requireVerifiedEmail) return passed('mail', 'No verified address is asked for.');
  return isMailSent
    ? passed('mail', 'Mails are sent.')
    : failed(
        'warn',
        'mail',
        'not_sent',
        'A verified address is asked for, but mails don’t leave this machine (SMTP_URL).',
      );
}
