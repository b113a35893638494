import { useTranslations } from 'next-intl';
import type { ProductStory } from './shown-sale';

/** Shows the product's description and attributes. */
export function ProductFacts({ sale }: { sale: ProductStory }) {
  const t = useTranslations('Sale');
  const attributes = Object.entries(sale.attributes);
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold text-xl">{t('description')}</h2>
      <p className="max-w-prose whitespace-pre-line">{sale.description}</p>
      {attributes.length > 0 ? (
        <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          {attributes.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">
                <bdi>{name}</bdi>
              </dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </section>
  );
}
