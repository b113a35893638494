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

/** Groups of beeps to be counted, and a field for how many they were. Plays when it is asked to, as often as it is. */
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
