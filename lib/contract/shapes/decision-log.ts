import { z } from 'zod';
import { DECISION_KINDS, type DecisionKind } from '../words/decision';
import { time } from './common';

/** 32 bytes, base64url without padding. */
export const digest = z
  .string()
  .regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url')
  .describe('32 bytes, base64url.');
/** How many leaves a log has; a log never comes near the largest. */
const LARGEST_LOG = 2 ** 40;
const logSize = z.int().min(1).max(LARGEST_LOG);
const leafIndex = z.int().min(0).max(LARGEST_LOG);
const shortText = z.string().min(1).max(100);
const count = z.int().min(0);
/** The variant that a place is for; left out: the sale has none. */
const wish = z.int().min(1).optional();
const hex = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * Details of each kind of decision, beside sale, person, order and time. A new kind is a line here and in the words.
 */
const DECISION_DETAILS = {
  accepted: z.strictObject({ units: z.int().min(1) }),
  refused: z.strictObject({ place: shortText, reason: shortText }),
  released: z.strictObject({ why: shortText }),
  reopened: z.strictObject({ why: shortText }),
  paid: z.strictObject({ why: shortText }),
  refunded: z.strictObject({ why: shortText }),
  committed: z.strictObject({ seedHash: hex, admission: shortText, weights: shortText }),
  entered: z.strictObject({ number: count, nonce: z.string().max(200).optional(), variant: wish }),
  placed: z.strictObject({ seed: hex, noncesDigest: hex, beacon: z.string().max(1_000).nullable(), count }),
  drawn: z.strictObject({ number: count, place: count, weight: count, passedOver: shortText.nullable() }),
  enlisted: z.strictObject({ number: count, variant: wish }),
  given_on: z.strictObject({ number: count }),
  passed_over: z.strictObject({ number: count, why: shortText }),
  left: z.strictObject({ list: z.enum(['line', 'waitlist']), number: count }),
} satisfies Record<DecisionKind, z.ZodObject>;

/** Text whose owner a leaf hides behind a pseudonym. */
const hidden = z.string().min(1).max(200);

const decisionOf = <K extends DecisionKind>(kind: K) =>
  z.strictObject({
    kind: z.literal(kind),
    /** Epoch ms. */
    at: z.int().min(0),
    /** User id, or the id of the sale for what concerns all of it; the leaf has a pseudonym instead. */
    user: hidden,
    /** Order number; the leaf has a pseudonym instead. */
    order: hidden.optional(),
    detail: DECISION_DETAILS[kind],
  });

/** A decision as it is handed to the log. */
export const decision = z.discriminatedUnion('kind', [
  decisionOf('accepted'),
  decisionOf('refused'),
  decisionOf('released'),
  decisionOf('reopened'),
  decisionOf('paid'),
  decisionOf('refunded'),
  decisionOf('committed'),
  decisionOf('entered'),
  decisionOf('placed'),
  decisionOf('drawn'),
  decisionOf('enlisted'),
  decisionOf('given_on'),
  decisionOf('passed_over'),
  decisionOf('left'),
]);
export type Decision = z.infer<typeof decision>;

/** A leaf, once its text is parsed. */
export const leaf = z.object({
  v: z.literal(1),
  sale: z.string(),
  kind: z.enum(DECISION_KINDS),
  at: time,
  who: digest,
  order: digest.optional(),
  detail: z.record(z.string(), z.unknown()),
});
export type Leaf = z.infer<typeof leaf>;

export const logHead = z.object({
  v: z.literal(1),
  sale: z.string().min(1).max(200),
  size: logSize,
  root: digest,
  at: time,
  keyId: digest.describe('SHA-256 of the public key (SPKI).'),
  final: z.boolean().describe('The sale was over, and nobody could still pay.'),
  signature: z
    .string()
    .regex(/^[\w-]{86}$/)
    .describe(
      'ECDSA P-256 with SHA-256, r and s, base64url, of the canonical JSON (RFC 8785) of the other fields.',
    ),
});
export type LogHead = z.infer<typeof logHead>;

export const logKey = z.object({
  id: digest,
  publicKey: z.string().max(500).describe('SPKI, base64url.'),
  since: time,
});
export type LogKey = z.infer<typeof logKey>;

/** Opens a pseudonym, which is SHA-256 of the nonce and the text. */
const opening = z.object({ text: hidden, nonce: digest });

/** A shopper's decisions in one sale, each with the proof that it is in the log under the head. */
export const logReceipt = z.object({
  v: z.literal(1),
  says: z.string().max(2_000),
  shop: z.string().max(500),
  head: logHead,
  key: logKey.pick({ id: true, publicKey: true }),
  person: opening.describe('Opens `who` of every leaf here.'),
  entries: z
    .array(
      z.object({
        index: leafIndex,
        leaf: z.string().max(4_000).describe('The exact text that is hashed.'),
        proof: z.array(digest).max(64),
        order: opening.optional().describe('Opens `order` of the leaf.'),
      }),
    )
    .min(1)
    .max(500),
});
export type LogReceipt = z.infer<typeof logReceipt>;
export type Opening = z.infer<typeof opening>;

/** How far a sale's log is, for its merchant. */
export const saleLog = z.object({
  size: z.int().describe('Decisions that have their place.'),
  head: logHead.nullable(),
  waitingSince: time.nullable().describe('Since when the oldest decision without a place waits.'),
  sentTo: z.string().nullable().describe('Which host gets the heads (LOG_WEBHOOK_URL).'),
  hasKey: z.boolean().describe('LOG_SIGNING_KEY is set; without it nothing is appended.'),
});
export type SaleLog = z.infer<typeof saleLog>;

export const logCheck = z.object({
  ok: z.boolean(),
  leaves: z.int(),
  heads: z.int(),
  detail: z.string(),
  checkedAt: time,
});
export type LogCheck = z.infer<typeof logCheck>;

/** `?size=` of a log that is read up to a head. */
const querySize = z.coerce.number().int().min(1).max(LARGEST_LOG);
export const consistencyQuery = z.object({ from: querySize, to: querySize });
export const leavesQuery = z.object({ size: querySize.optional() });
