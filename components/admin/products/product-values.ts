import type { DeliveryKind } from '@/lib/contract/words/delivery';
import { MAX_SLUG_LENGTH, SLUG } from '@/lib/contract/words/product';

/** The form's fields as the user typed them; an empty `imageUrl`: no picture. */
export type ProductValues = {
  name: string;
  slug: string;
  description: string;
  imageUrl: string;
  delivery: DeliveryKind;
};

export type ProductProblem = 'required' | 'slugInvalid' | 'slugTaken';
export type ProductProblems = Partial<Record<keyof ProductValues, ProductProblem>>;

/** Finds what is wrong with the form, by field, before anything is sent. */
export function checkProduct({ name, slug }: Pick<ProductValues, 'name' | 'slug'>): ProductProblems {
  return {
    ...(name.trim() ? {} : { name: 'required' as const }),
    ...(SLUG.test(slug) && slug.length <= MAX_SLUG_LENGTH ? {} : { slug: 'slugInvalid' as const }),
  };
}
