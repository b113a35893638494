'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import type { ChallengeKind } from '@/lib/contract/words/challenge';

interface OtherWaysProps {
  kinds: readonly ChallengeKind[];
  onChoose: (kind: ChallengeKind) => void;
}

/** Offers other challenges to shoppers who can't see, hear or move the puzzle. */
export function OtherWays({ kinds, onChoose }: OtherWaysProps) {
  const t = useTranslations('Challenge');
  return (
    <fieldset className="grid gap-1">
      <legend className="text-muted text-sm">{t('otherWays')}</legend>
      {kinds.map((kind) => (
        <Button
          key={kind}
          tone="plain"
          onClick={() => onChoose(kind)}
          className="justify-start px-0 text-left underline underline-offset-4"
        >
          {t(`other.${kind}`)}
        </Button>
      ))}
    </fieldset>
  );
}
