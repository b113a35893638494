import type { CreateProductInput } from '@/lib/contract/shapes/product';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type DemoWindow = {
  startsAt: number;
  endsAt: number;
  reservation?: { opensAt: number; closesAt: number };
};

export type DemoSale = {
  slug: string;
  title: string;
  product: CreateProductInput;
  priceMinor: number;
  listPriceMinor: number;
  totalStock: number;
  limitPerUser: number;
  paymentWindowSec: number;
  /** Computes start, end and reservation window of a sale if the product itself starts at `nowMs`. */
  window: (nowMs: number) => DemoWindow;
  /** Units that demo buyers have bought and paid for. */
  soldUnits?: number;
  /** The sale ends as soon as `soldUnits` are sold. */
  endsOnceSold?: boolean;
  /** If the sale is over at the product's next start, it gets a new window then. */
  reopens?: boolean;
  /** While the product runs, the sale gets a new window this long after its end. */
  repeatAfterSec?: number;
};

const picture = (name: string) => `/products/${name}.svg`;

/** The sales that a newcomer finds: one in each possible state, and one that takes reservations. */
export const DEMO_SALES: readonly DemoSale[] = [
  {
    slug: 'aurora-headphones',
    title: 'Aurora wireless headphones',
    product: {
      slug: 'aurora-headphones',
      name: 'Aurora wireless headphones',
      description:
        'Over-ear headphones with quiet-room noise cancelling and forty hours on a charge. They fold flat and come with a hard case.',
      imageUrl: picture('headphones'),
      attributes: { Battery: '40 h', Weight: '245 g', Colour: 'Midnight' },
    },
    priceMinor: 8_900,
    listPriceMinor: 17_900,
    totalStock: 500,
    limitPerUser: 1,
    paymentWindowSec: 900,
    window: (nowMs) => ({ startsAt: nowMs - 5 * MINUTE_MS, endsAt: nowMs + 2 * HOUR_MS }),
    reopens: true,
  },
  {
    slug: 'tempo-watch',
    title: 'Tempo sports watch',
    product: {
      slug: 'tempo-watch',
      name: 'Tempo sports watch',
      description:
        'A light watch that tracks runs, swims and sleep. The screen stays readable in full sun, the strap changes without tools.',
      imageUrl: picture('watch'),
      attributes: { Battery: '10 days', 'Water resistance': '5 ATM', Strap: 'Silicone' },
    },
    priceMinor: 4_900,
    listPriceMinor: 12_900,
    totalStock: 100,
    // Lets one account take part in several rounds.
    limitPerUser: 5,
    paymentWindowSec: 120,
    window: (nowMs) => ({ startsAt: nowMs + 2 * MINUTE_MS, endsAt: nowMs + 5 * MINUTE_MS }),
    reopens: true,
    repeatAfterSec: 120,
  },
  {
    slug: 'barista-press',
    title: 'Barista hand press',
    product: {
      slug: 'barista-press',
      name: 'Barista hand press',
      description:
        'Espresso without a plug: steel, beech and one lever. Makes a double shot in under a minute.',
      imageUrl: picture('coffee'),
      attributes: { Material: 'Stainless steel, beech', Cups: '2' },
    },
    priceMinor: 5_900,
    listPriceMinor: 9_900,
    totalStock: 24,
    limitPerUser: 1,
    paymentWindowSec: 604_800,
    window: (nowMs) => ({ startsAt: nowMs - HOUR_MS, endsAt: nowMs + 30 * DAY_MS }),
    soldUnits: 24,
  },
  {
    slug: 'trail-backpack',
    title: 'Trail backpack 28 l',
    product: {
      slug: 'trail-backpack',
      name: 'Trail backpack 28 l',
      description:
        'A day pack of recycled sailcloth with a frame that keeps your back dry and a cover for rain.',
      imageUrl: picture('backpack'),
      attributes: { Volume: '28 l', Weight: '890 g', Laptop: 'up to 15″' },
    },
    priceMinor: 6_900,
    listPriceMinor: 11_900,
    totalStock: 40,
    limitPerUser: 2,
    paymentWindowSec: 604_800,
    window: (nowMs) => ({ startsAt: nowMs - HOUR_MS, endsAt: nowMs + HOUR_MS }),
    soldUnits: 31,
    endsOnceSold: true,
  },
  {
    slug: 'nimbus-lamp',
    title: 'Nimbus desk lamp',
    product: {
      slug: 'nimbus-lamp',
      name: 'Nimbus desk lamp',
      description: 'Warm to cool light from one wide head, dimmed by touch. It remembers how you left it.',
      imageUrl: picture('lamp'),
      attributes: { Light: '2700–6500 K', Power: '12 W', Height: '46 cm' },
    },
    priceMinor: 3_900,
    listPriceMinor: 7_900,
    totalStock: 300,
    limitPerUser: 2,
    paymentWindowSec: 900,
    window: (nowMs) => ({
      startsAt: nowMs + 30 * DAY_MS,
      endsAt: nowMs + 30 * DAY_MS + 2 * HOUR_MS,
      reservation: { opensAt: nowMs - HOUR_MS, closesAt: nowMs + 29 * DAY_MS },
    }),
    reopens: true,
  },
];

/** How long before the start entry opens, in ms; the same as in the form for a new sale. */
export const DEMO_ENTRY_LEAD_MS = 10 * MINUTE_MS;
