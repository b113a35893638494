'use client';

import { useTranslations } from 'next-intl';
import { SHOP_ROLES, type ShopRole, type ShopTopic, TOPICS } from '@/lib/contract/words/shop';
import { ChoiceField } from '../kit/choice-field';

export interface Standing {
  role: ShopRole;
  topics: ShopTopic[];
}

interface StandingFieldsProps {
  value: Standing;
  onChange: (value: Standing) => void;
}

/** The fields for what somebody is in a shop: the role, and of an editor the topics. */
export function StandingFields({ value, onChange }: StandingFieldsProps) {
  const t = useTranslations('AdminShop');
  const { role, topics } = value;
  const toggle = (topic: ShopTopic, isOn: boolean) =>
    onChange({ role, topics: TOPICS.filter((each) => (each === topic ? isOn : topics.includes(each))) });
  return (
    <>
      <ChoiceField
        label={t('role')}
        value={role}
        choices={SHOP_ROLES}
        nameOf={(name) => t(`roles.${name}`)}
        hintOf={(name) => t(`can.${name}`)}
        onChoose={(next) => onChange({ role: next, topics })}
      />
      {role === 'editor' ? (
        <fieldset className="grid content-start gap-1.5">
          <legend className="font-medium">{t('topics')}</legend>
          {TOPICS.map((topic) => (
            <label key={topic} className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                className="size-5 shrink-0"
                checked={topics.includes(topic)}
                onChange={({ target }) => toggle(topic, target.checked)}
              />
              {t(`topic.${topic}`)}
            </label>
          ))}
        </fieldset>
      ) : null}
    </>
  );
}
