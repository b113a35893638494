/** The pictures that come with the shop (public/products). */
export const PICTURES = [
  'headphones',
  'camera',
  'sneaker',
  'watch',
  'coffee',
  'kettle',
  'lamp',
  'backpack',
  'keyboard',
  'parcel',
] as const;

export const picturePath = (name: string) => `/products/${name}.svg`;
