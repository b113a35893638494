import { z } from 'zod';
import { flag, url, whole, wholeOrOff } from './kinds';
import { SHOP, tell } from './tell';

/** Who gets in, and what needs a second look. */
export const staffSettings = {
  SECKILL_ADMIN_EMAIL: tell(z.email('must be an e-mail address').max(254).optional(), {
    says: 'Outside the demo, each `npm start` invites this address as admin, by a link among its last lines, for as long as there is no admin.',
    usedBy: ['start'],
    example: 'you@example.com',
    unset: 'nobody: `npm run admin -- invite`',
  }),
  STAFF_SECOND_FACTOR: tell(flag.optional(), {
    says: '`0`: staff may enter the admin area without a second factor. The same for all processes.',
    usedBy: SHOP,
    unset: '`1`; in the demo `0`',
  }),
  CONFIRM_AGAIN_MINUTES: tell(whole(0, 1_440).optional(), {
    says: 'How long after showing who they are staff may refund, change stock or change accounts; `0`: always. The same for all processes.',
    usedBy: SHOP,
    unset: '15; in the demo 0',
  }),
  APPROVAL_STOCK_UNITS: tell(wholeOrOff(0, 1_000_000_000).optional(), {
    says: 'Adding more units than this to a sale within a day needs a second person; `off`: never ([032](decisions/032-two-people-by-default.md)).',
    usedBy: SHOP,
    unset: '1,000; in the demo 10,000',
  }),
  APPROVAL_REFUND_MINOR: tell(wholeOrOff(0, 2_147_483_647).optional(), {
    says: 'Refunding more than this alone within a day, in minor units of one currency, needs a second person; `off`: never.',
    usedBy: SHOP,
    unset: '100,000; in the demo 1,000,000',
  }),
};

/** A server that signs people in by OpenID Connect. All four are set, or none. */
export const openIdSettings = {
  OIDC_ISSUER: tell(url('http:', 'https:').optional(), {
    says: 'Its issuer, exactly as the server itself spells it. Whoever it says has a verified e-mail address is believed ([085](decisions/085-openid-connect.md)). Register `NEXTAUTH_URL/api/auth/callback/openid` there.',
    usedBy: SHOP,
    example: 'https://login.example.com',
    unset: 'none',
  }),
  OIDC_CLIENT_ID: tell(
    z
      .string()
      .regex(/^[\x21-\x7e]{1,300}$/, 'must be 1 to 300 characters without spaces')
      .optional(),
    { says: 'What the server knows this shop by.', usedBy: SHOP, example: 'shop', unset: 'none' },
  ),
  OIDC_CLIENT_SECRET: tell(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 characters without spaces')
      .optional(),
    { says: "The shop's secret there.", usedBy: SHOP, unset: 'none' },
  ),
  OIDC_NAME: tell(
    z
      .string()
      .regex(/^[^\p{C}]{1,40}$/u, 'must be 1 to 40 characters in one line')
      .optional(),
    {
      says: 'What the button on the sign-in page calls it.',
      usedBy: SHOP,
      example: 'Example Login',
      unset: 'none',
    },
  ),
};
