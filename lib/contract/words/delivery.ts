/** How a product reaches whoever bought it: column `products.delivery`. `none`: digital, or picked up. */
export const DELIVERY_KINDS = ['none', 'shipped'] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** How far the delivery of an order is: column `deliveries.state`. */
export const DELIVERY_STATES = ['waiting', 'packed', 'shipped', 'delivered'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

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

export const MAX_CARRIER_LENGTH = 60;
export const MAX_TRACKING_NUMBER_LENGTH = 60;
export const MAX_TRACKING_URL_LENGTH = 500;
