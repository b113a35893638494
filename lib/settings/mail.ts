import { z } from 'zod';
import { flag, p256Key, url, webhookSecret } from './kinds';
import { SHOP, tell } from './tell';

const MAX_ALERT_ADDRESSES = 10;

/** Mails, push messages and alerts. */
export const mailSettings = {
  SMTP_URL: tell(url('smtp:', 'smtps:').optional(), {
    says: 'The mail server.',
    usedBy: SHOP,
    example: 'smtp://user:password@mail.example.com:587',
    unset: 'mails become files in `MAIL_DIR`, on each machine its own',
  }),
  MAIL_DIR: tell(z.string().default('.data/mail'), { says: 'Where those files go.', usedBy: SHOP }),
  MAIL_FROM: tell(
    z
      .string()
      .regex(/^[^\r\n]{3,200}$/, 'must be one line, like Shop <shop@example.com>')
      .default('Seckill <no-reply@localhost>'),
    { says: 'The sender of mails.', usedBy: SHOP, example: 'Shop <shop@example.com>' },
  ),
  PUSH_KEY: tell(p256Key.optional(), {
    says: 'Proves push messages to be of this shop (VAPID): ECDSA P-256, PKCS #8 in base64url. The same for all processes. Another one ends all subscriptions.',
    usedBy: SHOP,
    unset: 'nobody is told by push',
  }),
  PUSH_PRIVATE: tell(flag.default(false), {
    says: 'Lets push messages go to addresses of this machine or a private network, also over http: for a push service of your own.',
    usedBy: SHOP,
    example: '1',
  }),
  ALERT_EMAIL_TO: tell(
    z
      .string()
      .transform((value) => value.split(',').map((address) => address.trim()))
      .pipe(z.array(z.email('must be e-mail addresses separated by commas')).max(MAX_ALERT_ADDRESSES))
      .optional(),
    {
      says: 'Up to 10 addresses that get alerts, separated by commas.',
      usedBy: SHOP,
      example: 'ops@example.com',
      unset: 'none',
    },
  ),
  ALERT_WEBHOOK_URL: tell(url('http:', 'https:').optional(), {
    says: 'Gets alerts by POST, signed as Standard Webhooks.',
    usedBy: SHOP,
    unset: 'none',
  }),
  ALERT_WEBHOOK_SECRET: tell(webhookSecret.optional(), {
    says: 'Its key. Set with `ALERT_WEBHOOK_URL`.',
    usedBy: SHOP,
    example: 'whsec_…',
    unset: 'none',
  }),
};
