import { z } from 'zod';
import { PASSED_OVER } from '../words/draw';
import { SALE_ADMISSIONS } from '../words/sale';
import { count, time } from './common';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** How many entries a page of a proof has. */
export const PROOF_PAGE = 2_000;

const provenEntry = z
  .object({
    number: count.describe('In the order of joining, from 0.'),
    pseudonym: z.string().describe('Keyed hash of the account; only its owner is told which is theirs.'),
    nonce: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('16 random bytes from the browser, in hex.'),
    weight: count.describe('Tickets held.'),
    variant: count.describe('The variant that was wished, from 1; 0: there was nothing to wish.'),
    place: count.describe('In the order, from 0.'),
    passedOver: z
      .enum(PASSED_OVER)
      .nullable()
      .describe('Why whoever has this place gets nothing; null: takes part.'),
  })
  .meta({ id: 'ProvenEntry' });

export const lineProof = z
  .object({
    saleId: z.string(),
    admission: z.enum(SALE_ADMISSIONS),
    seedHash: digest.describe('SHA-256 of the seed, in hex: public before anybody can join.'),
    shuffle: z
      .object({
        seed: digest,
        noncesDigest: digest,
        beacon: z.string().nullable().describe('`<round>:<randomness>`; null: none went in.'),
        beaconUrl: z
          .string()
          .nullable()
          .describe('The source that was asked; with a null `beacon` it told nothing. Null: none is set.'),
        count: count.describe('How many were put in order.'),
        shuffledAt: time,
      })
      .nullable()
      .describe('Null until the order is made.'),
    entries: z.array(provenEntry).describe(`In order of numbers, ${PROOF_PAGE} at most.`),
    next: count.nullable().describe('`from` of the next page; null: this is the last.'),
  })
  .meta({ id: 'LineProof' });

/** A page of the order of a waiting room or draw, as the shop publishes it. */
export type LineProof = z.output<typeof lineProof>;
