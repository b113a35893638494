import { flag, p256Key, url, webhookSecret } from './kinds';
import { SHOP, tell } from './tell';

/** The signed logs of decisions, and the randomness of lines and draws. */
export const proofSettings = {
  LOG_SIGNING_KEY: tell(p256Key.optional(), {
    says: 'Signs [the heads of the logs](FAIRNESS.md#the-key): ECDSA P-256, PKCS #8 in base64url. The same for all processes.',
    usedBy: SHOP,
    unset: 'nothing is appended or published',
  }),
  LOG_WEBHOOK_URL: tell(url('http:', 'https:').optional(), {
    says: 'Gets every signed head by POST, signed as Standard Webhooks.',
    usedBy: SHOP,
    unset: 'none',
  }),
  LOG_WEBHOOK_SECRET: tell(webhookSecret.optional(), {
    says: 'Its key. Set with `LOG_WEBHOOK_URL`.',
    usedBy: SHOP,
    example: 'whsec_…',
    unset: 'none',
  }),
  LOG_WEBHOOK_PRIVATE: tell(flag.default(false), {
    says: 'Lets it be an address of this machine or a private network.',
    usedBy: SHOP,
    example: '1',
  }),
  SALE_WEBHOOK_PRIVATE: tell(flag.default(false), {
    says: 'Lets merchants name such addresses for the heads of their sales and for webhooks, also over http.',
    usedBy: SHOP,
    example: '1',
  }),
  BEACON_URL: tell(url('http:', 'https:').optional(), {
    says: "A public randomness beacon for draws and waiting rooms, by drand's HTTP interface ([073](decisions/073-draw.md)).",
    usedBy: ['worker'],
    example: 'https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
    unset: 'they do without',
  }),
};
