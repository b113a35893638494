import { liveKeys, webhookSecret } from './kinds';
import { SHOP, tell } from './tell';

/** `npm start` makes those that are not given and keeps them in `.data/secrets.json`. */
export const secretSettings = {
  NEXTAUTH_SECRET: tell(liveKeys, {
    says: 'Seals sessions and signs the links of mails. Random, at least 32 characters; two, newest first and separated by a comma, [while it changes](SECURITY.md#change-a-key-in-steps).',
    usedBy: SHOP,
    example: '`openssl rand -base64 48`',
  }),
  ENTRY_SECRET: tell(liveKeys, {
    says: 'Signs entry tokens and the cookies of known devices; seals one-time codes and the secrets of webhooks. As above.',
    usedBy: SHOP,
    example: '`openssl rand -base64 48`',
  }),
  INTERNAL_SECRET: tell(liveKeys, {
    says: 'Proves a worker to a web process, which it asks to renew pages. As above.',
    usedBy: SHOP,
    example: '`openssl rand -base64 48`',
  }),
  SANDBOX_WEBHOOK_SECRET: tell(webhookSecret, {
    says: 'Signs what the sandbox tells of payments: `whsec_` and a base64 key.',
    usedBy: SHOP,
    example: 'whsec_…',
  }),
};
