/** How a product reaches its buyer: column `products.delivery`. Null there: the merchant says nothing about it. */
export const DELIVERY_WAYS = ['parcel', 'digital', 'pickup'] as const;
export type DeliveryWay = (typeof DELIVERY_WAYS)[number];

/** How far an order's parcel is: column `deliveries.step`. */
export const DELIVERY_STEPS = ['waiting', 'packed', 'shipped', 'delivered', 'returned'] as const;
export type DeliveryStep = (typeof DELIVERY_STEPS)[number];

/** How the parcel of an order stands, in lists: `missing` has no address yet. */
export const DELIVERY_STANDS = ['missing', ...DELIVERY_STEPS] as const;
export type DeliveryStand = (typeof DELIVERY_STANDS)[number];

/** How long the parts of an address may be, in characters. */
export const ADDRESS_LENGTHS = {
  name: 100,
  line: 100,
  city: 100,
  region: 100,
  postalCode: 16,
  phone: 30,
} as const;
export const MAX_ADDRESS_LINES = 3;
/** How many addresses an account keeps. */
export const MAX_SAVED_ADDRESSES = 5;

export const MAX_PICKUP_PLACE_LENGTH = 300;
export const TRACKING_LENGTHS = { carrier: 60, trackingNumber: 60, trackingUrl: 500 } as const;

/** The columns of a file of shipments. */
export const SHIPMENT_COLUMNS = ['order_no', 'carrier', 'tracking_number', 'tracking_url'] as const;
export type ShipmentColumn = (typeof SHIPMENT_COLUMNS)[number];

/** Why a line of such a file ships nothing: a cell is wrong, or the order's parcel can't go. */
export const SHIPMENT_PROBLEMS = [
  'invalid',
  'not_found',
  'not_paid',
  'no_parcel',
  'address_missing',
  'wrong_step',
] as const;
export type ShipmentProblem = (typeof SHIPMENT_PROBLEMS)[number];

/** The most lines of such a file. */
export const MAX_SHIPMENTS = 1_000;

export const MAX_SHIPPING_RULES = 50;
/** Bounds of a rule for shipping: its price in minor units, and what a parcel weighs. */
export const MAX_SHIPPING_MINOR = 100_000_000;
export const MAX_PARCEL_GRAMS = 100_000_000;
