import { z } from 'zod';

/** Longer than the address of any known push service. */
const LONGEST_ENDPOINT = 1_000;

const endpoint = z
  .string()
  .max(LONGEST_ENDPOINT)
  .regex(/^https?:\/\/[\x21-\x7e]+$/)
  .describe('Where the browser’s push service takes messages: `PushSubscription.endpoint`.');

/** A browser that takes push messages, as `PushSubscription.toJSON()` has it; its `expirationTime` counts for nothing. */
export const pushSubscription = z.strictObject({
  endpoint,
  expirationTime: z.number().nullable().optional(),
  keys: z.strictObject({
    p256dh: z
      .string()
      .regex(/^B[\w-]{86}$/)
      .describe('The browser’s public key: a point of P-256, uncompressed, base64url.'),
    auth: z
      .string()
      .regex(/^[\w-]{22}$/)
      .describe('16 bytes, base64url.'),
  }),
});
export type PushSubscription = z.output<typeof pushSubscription>;

export const pushEnd = z.strictObject({ endpoint });

export const pushState = z.object({
  publicKey: z
    .string()
    .nullable()
    .describe('The shop’s, for `applicationServerKey`; null: the shop tells nobody by push.'),
  endpoint: z
    .string()
    .nullable()
    .describe('Of the browser that asked last in this session; null: none takes its notices.'),
});
export type PushState = z.output<typeof pushState>;

/** What the service worker shows. */
export const pushMessage = z.object({
  title: z.string(),
  body: z.string(),
  url: z.string().describe('The page that a press opens.'),
  tag: z.string().describe('A message that comes twice replaces itself.'),
  lang: z.string(),
});
export type PushMessage = z.output<typeof pushMessage>;
