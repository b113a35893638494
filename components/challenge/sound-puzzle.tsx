'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import type { SoundTask } from '@/lib/contract/shapes/challenge';
import { AnswerForm } from './answer-form';
import { useSound } from './use-sound';

interface SoundPuzzleProps {
  task: SoundTask;
  isChecking: boolean;
  onAnswer: (answer: string) => void;
}

/** Plays groups of beeps to count, as often as the shopper asks, and shows a field for their number. */
export function SoundPuzzle({ task, ...form }: SoundPuzzleProps) {
  const t = useTranslations('Challenge');
  const { state, play } = useSound(task.sound);
  return (
    <AnswerForm label={t('soundLabel', { groups: task.groups })} maxLength={12} {...form}>
      <p>{t('soundText', { groups: task.groups })}</p>
      <Button onClick={play} isBusy={state === 'playing'}>
        {t(state === 'playing' ? 'soundPlaying' : 'soundPlay')}
      </Button>
      {state === 'silent' ? <p role="alert">{t('soundSilent')}</p> : null}
    </AnswerForm>
  );
}
