import { MAX_VARIANTS, variantNumbers } from '@/lib/contract/words/variant';
import { type Figure, PLENTY, selling } from '../bench-context';
import { contest } from '../contest';
import { openBenchSale } from '../stack/sales';

const TARGET = 0.97;
/** The rounds of one contestant lie further apart than the target is from 1. */
const ROUNDS = 4;
const VARIANTS = Array.from({ length: MAX_VARIANTS }, (_, at) => ({
  name: `Size ${at + 1}`,
  stock: PLENTY / MAX_VARIANTS,
  picture: null,
}));

/** Measures accepted purchases per second of a sale with as many variants as one may have, against a sale without. */
export const measureVariants: Figure = async (context) => {
  const varied = await openBenchSale(PLENTY, { variants: VARIANTS });
  const plain = await openBenchSale(PLENTY);
  const wish = (variant: number) => ({ quantity: 1, variant });
  return contest(
    { rounds: ROUNDS * context.rounds },
    {
      varied: selling(context, [varied], { wishes: variantNumbers(VARIANTS).map(wish) }),
      plain: selling(context, [plain], { wishes: [wish(0)] }),
    },
    [
      {
        figure: `purchases accepted/s, ${MAX_VARIANTS} variants : none`,
        ours: 'varied',
        theirs: 'plain',
        target: { atLeast: TARGET },
      },
    ],
    ['shoppers take one variant after the other; every request says quantity and variant, as the page does.'],
  );
};
