'use client';

import { useTranslations } from 'next-intl';
import type { ShopMemberView } from '@/lib/contract/shapes/team';
import { SHOP_ROLES, SHOP_TOPICS, type ShopTopic } from '@/lib/contract/words/shop';
import { ChoiceField } from '../kit/choice-field';

export type Standing = Pick<ShopMemberView, 'role' | 'topics'>;

interface StandingFieldsProps {
  value: Standing;
  onChange: (value: Standing) => void;
}

/** The fields for a person's standing in a shop: the role, and for an editor the topics. */
export function StandingFields({ value, onChange }: StandingFieldsProps) {
  const t = useTranslations('AdminShop');
  const { role, topics } = value;
  const toggle = (topic: ShopTopic, isOn: boolean) =>
    onChange({ role, topics: SHOP_TOPICS.filter((each) => (each === topic ? isOn : topics.includes(each))) });
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
          {SHOP_TOPICS.map((topic) => (
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
