/** The form of a product's address: lower-case words joined by hyphens. */
export const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const MAX_SLUG_LENGTH = 80;

/** An archived product is sold by no new sale. */
export const PRODUCT_STATUSES = ['active', 'archived'] as const;
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];

/** The attributes of a product: how many, and how long. */
export const MAX_ATTRIBUTES = 30;
export const MAX_ATTRIBUTE_NAME = 60;
export const MAX_ATTRIBUTE_VALUE = 500;

export const MAX_WEIGHT_GRAMS = 1_000_000;
