import type { SaleTitles } from '@/lib/contract/shapes/by-language';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { toLocalInput } from './sale-form-values';
import { typedTitles } from './typed-titles';

/** The fields that can still change; times in epoch ms. */
type Changeable = Pick<SaleInfo, 'title' | 'titles' | 'startsAt' | 'endsAt'>;
export type PublishedChange = Partial<Changeable>;

/**
 * Reads what the user has changed in a published sale, and whether its times are right. The fields know only minutes:
 * what was not touched is not sent.
 */
export function readChange(
  sale: Changeable,
  values: { title: string; titles: SaleTitles; start: string; end: string },
  hasStarted: boolean,
): { change: PublishedChange; isTooEarly: boolean; isEndWrong: boolean } {
  const title = values.title.trim();
  const titles = typedTitles(values.titles);
  const isStartMoved = !hasStarted && values.start !== toLocalInput(sale.startsAt);
  const isEndMoved = values.end !== toLocalInput(sale.endsAt);
  const startsAt = isStartMoved ? Date.parse(values.start) : sale.startsAt;
  const endsAt = isEndMoved ? Date.parse(values.end) : sale.endsAt;
  return {
    change: {
      ...(title === sale.title ? {} : { title }),
      ...(JSON.stringify(titles) === JSON.stringify(typedTitles(sale.titles)) ? {} : { titles }),
      ...(isStartMoved ? { startsAt } : {}),
      ...(isEndMoved ? { endsAt } : {}),
    },
    isTooEarly: isStartMoved && !(startsAt > Date.now()),
    // A sale that has started may only end later.
    isEndWrong: (isStartMoved || isEndMoved) && !(endsAt > (hasStarted ? sale.endsAt : startsAt)),
  };
}
