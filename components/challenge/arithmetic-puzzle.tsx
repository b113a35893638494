'use client';

import { useTranslations } from 'next-intl';
import type { ArithmeticTask } from '@/lib/contract/shapes/challenge';
import { AnswerForm } from './answer-form';

interface ArithmeticPuzzleProps {
  task: ArithmeticTask;
  isChecking: boolean;
  onAnswer: (answer: string) => void;
}

/** Shows a sum as a picture, and a field for its result. */
export function ArithmeticPuzzle({ task, ...form }: ArithmeticPuzzleProps) {
  const t = useTranslations('Challenge');
  return (
    <AnswerForm label={t('arithmeticLabel')} maxLength={4} {...form}>
      {/* biome-ignore lint/performance/noImgElement: a data address, drawn for this moment */}
      <img
        src={task.image}
        alt={t('arithmeticPicture')}
        className="w-full rounded-xl"
        style={{ aspectRatio: `${task.width} / ${task.height}` }}
      />
    </AnswerForm>
  );
}
