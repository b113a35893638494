import { useTranslations } from 'next-intl';
import type { ComponentProps } from 'react';
import { SelectField, TextField } from '@/components/ui/field';
import { DELIVERY_WAYS, MAX_PICKUP_PLACE_LENGTH } from '@/lib/contract/words/delivery';

interface DeliveryFieldsProps {
  /** Its value is a way, or empty. */
  way: Omit<ComponentProps<typeof SelectField>, 'label'>;
  place: Omit<ComponentProps<typeof TextField>, 'label'>;
}

/** Asks how a product reaches its buyer. */
export function DeliveryFields({ way, place }: DeliveryFieldsProps) {
  const t = useTranslations('Admin.form');
  return (
    <>
      <SelectField label={t('delivery')} hint={t('deliveryHint')} {...way}>
        {(['', ...DELIVERY_WAYS] as const).map((each) => (
          <option key={each} value={each}>
            {t(`deliveries.${each || 'unstated'}`)}
          </option>
        ))}
      </SelectField>
      {way.value === 'pickup' ? (
        <div className="sm:col-span-2">
          <TextField label={t('pickupPlace')} maxLength={MAX_PICKUP_PLACE_LENGTH} {...place} />
        </div>
      ) : null}
    </>
  );
}
