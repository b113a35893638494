import { z } from 'zod';
import { ADDRESS_LENGTHS, MAX_ADDRESS_LINES } from '../words/delivery';

/**
 * Control characters, and those that turn the direction of what follows: on a label they would hide what it says. Every
 * script may stand, with the joiners that some need.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** One line of text that can be printed on a label. @param longest in characters */
export const printable = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .refine((value) => !UNPRINTABLE.test(value), 'holds characters that cannot be printed');

export const country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'is not a country')
  .describe('ISO 3166-1 alpha-2.');

export const address = z
  .strictObject({
    name: printable(ADDRESS_LENGTHS.name).min(1).describe('Who gets it.'),
    lines: z
      .array(printable(ADDRESS_LENGTHS.line).min(1))
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

export const orderAddress = z.strictObject({
  address,
  save: z.boolean().default(true).describe('Whether the form of the next order begins with it.'),
});

export const addressStand = z.object({
  address: address.nullable().describe("The order's own; null: none was given."),
  saved: address.nullable().describe("What the account keeps for the next order's form."),
});

export const savedAddress = z.object({ address: address.nullable() });

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
            .describe(
              'A regular expression that the whole part has to match, in upper case; null: any text.',
            ),
          example: z.string().nullable(),
        }),
      )
      .describe('What the country uses, in the order in which it writes them.'),
  })
  .meta({ id: 'AddressForm' });

/** What the form of an address asks for in one country. */
export type AddressForm = z.output<typeof addressForm>;
