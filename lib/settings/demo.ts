import { flag } from './kinds';
import { SHOP, tell } from './tell';

/** What tells a demo from a shop. */
export const demoSettings = {
  SECKILL_DEMO: tell(flag.default(false), {
    says: 'Demo data and accounts with published passwords. `npm start` sets it where no `DATABASE_URL` is set; it is refused where `NEXTAUTH_URL` is https or `TRUST_PROXY` is set.',
    usedBy: ['start', ...SHOP],
    example: '0',
  }),
  ALLOW_SANDBOX_PAYMENTS: tell(flag.default(false), {
    says: 'Lets a shop that is no demo run with the sandbox or with a test key of Stripe, which move no money. Without a live key: **Needed outside the demo.**',
    usedBy: SHOP,
    example: '1',
  }),
  REHEARSE_BESIDE_LIVE: tell(flag.default(false), {
    says: 'Lets rehearsals run on the stock Redis of a live sale. Only the demo sets it: its sales are always live.',
    usedBy: SHOP,
  }),
};
