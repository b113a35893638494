import { z } from 'zod';
import { ADDRESS_LENGTHS, MAX_ADDRESS_LINES, MAX_SAVED_ADDRESSES } from '../words/delivery';
import { requestId, time } from './common';

/** Characters that no label shows, or that turn the direction of what follows. The joiners that some scripts need may stand. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;

/** One line of text that can be printed on a label. @param longest in characters */
export const printable = (longest: number) =>
  z
    .string()
    .normalize('NFC')
    .trim()
    .max(longest)
    .refine((value) => !UNPRINTABLE.test(value), 'holds characters that cannot be printed');

/** The same, with a letter or a digit at least. */
const named = (longest: number) =>
  printable(longest).refine((value) => /[\p{L}\p{N}]/u.test(value), 'needs a letter or a digit');

export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'is not a country')
  .describe('ISO 3166-1 alpha-2.');

export const address = z
  .strictObject({
    name: named(ADDRESS_LENGTHS.name).describe('Who gets it.'),
    lines: z
      .array(named(ADDRESS_LENGTHS.line))
      .min(1)
      .max(MAX_ADDRESS_LINES)
      .describe('Street and house, then what helps to find it.'),
    city: printable(ADDRESS_LENGTHS.city).default(''),
    region: printable(ADDRESS_LENGTHS.region).default(''),
    postalCode: printable(ADDRESS_LENGTHS.postalCode).toUpperCase().default(''),
    country,
    phone: printable(ADDRESS_LENGTHS.phone)
      .regex(/^[+\d ()./-]*$/, 'is not a phone number')
      .default(''),
  })
  .meta({ id: 'Address' });

/** Where a parcel goes. What its country does not use is empty. */
export type Address = z.output<typeof address>;

/** Reads an address out of a column; null: there is none, or one that this release can't read. */
export const toAddress = (json: unknown): Address | null => address.safeParse(json).data ?? null;

const savedAddress = z
  .object({
    addressId: z.string(),
    address,
    usedAt: time.describe('When it was changed, or given to an order, last.'),
  })
  .meta({ id: 'SavedAddress' });
export type SavedAddress = z.output<typeof savedAddress>;

export const savedAddresses = z.object({
  addresses: z.array(savedAddress).describe(`The one used last first; at most ${MAX_SAVED_ADDRESSES}.`),
});

export const newAddress = z.strictObject({ address, requestId });
export const addressChange = z.strictObject({ address });

export const orderAddress = z.strictObject({
  address,
  save: z
    .boolean()
    .default(false)
    .describe('Whether the account keeps it, too; not done where it keeps as many as it may.'),
});

export const addressStand = z.object({
  address: address.nullable().describe("The order's own; null: none was given, or it was forgotten."),
  saved: z.array(savedAddress).describe('What the account keeps, the one used last first.'),
});

/** The parts that a country may use, besides name and lines. */
export const ADDRESS_PARTS = ['city', 'region', 'postalCode'] as const;
export type AddressPart = (typeof ADDRESS_PARTS)[number];

export const addressForm = z
  .object({
    country,
    countries: z.array(country).describe('All to which an address may belong.'),
    parts: z
      .array(
        z.object({
          name: z.enum(ADDRESS_PARTS),
          isRequired: z.boolean(),
          pattern: z
            .string()
            .nullable()
            .describe('A regular expression for the whole part, in upper case; null: any text.'),
          example: z.string().nullable(),
        }),
      )
      .describe('What the country uses, in the order in which it writes them.'),
  })
  .meta({ id: 'AddressForm' });

/** The fields of an address in one country. */
export type AddressForm = z.output<typeof addressForm>;
