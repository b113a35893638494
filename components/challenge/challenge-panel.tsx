'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useProblemText } from '@/components/ui/use-problem-text';
import type { ChallengeAnswer, OfferedChallenge } from '@/lib/contract/shapes/challenge';
import { ArithmeticPuzzle } from './arithmetic-puzzle';
import { OtherWays } from './other-ways';
import { PowCalculation } from './pow-calculation';
import { SliderPuzzle } from './slider-puzzle';
import { SoundPuzzle } from './sound-puzzle';
import { useChallenge } from './use-challenge';

/** The announcements for a screen reader. */
type ChallengeNews = 'puzzle' | 'puzzleFailed' | null;

interface ChallengePanelProps {
  saleId: string;
  /** Sends the answer to the shop, or asks without one; rejects with the entry endpoint's refusal. */
  enter: (answer: ChallengeAnswer | null) => Promise<void>;
  onNews: (news: ChallengeNews) => void;
}

/**
 * Shows the challenge a shopper solves before entry. It stands below the button, so that nothing above it moves when
 * it changes.
 */
export function ChallengePanel({ saleId, enter, onNews }: ChallengePanelProps) {
  const t = useTranslations('Challenge');
  const words = useTranslations('Common');
  const problemText = useProblemText();
  const { stage, answer, renew, choose, onStuck } = useChallenge(saleId, enter);
  const challenge = stage.kind === 'open' || stage.kind === 'checking' ? stage.challenge : null;
  const challengeId = challenge?.challengeId;
  const focus = useKeptFocus(challengeId ?? stage.kind);
  const isPuzzle = challenge !== null && challenge.kind !== 'pow';
  const code =
    stage.kind === 'loading' ? (stage.trouble ?? stage.why) : stage.kind === 'open' ? stage.why : null;
  const hasFailed = stage.kind === 'open' && code === 'CHALLENGE_FAILED';

  useEffect(() => {
    if (hasFailed) onNews('puzzleFailed');
    else onNews(isPuzzle && stage.kind === 'open' ? 'puzzle' : null);
  }, [hasFailed, isPuzzle, stage.kind, onNews]);

  return (
    <section aria-labelledby="challenge-heading" className="grid gap-4 border-line border-t pt-5 sm:pt-6">
      <div className="grid gap-1">
        <h2 id="challenge-heading" className="font-semibold text-lg">
          {t('heading')}
        </h2>
        <p className="text-muted">{t('why')}</p>
      </div>
      <div {...focus} tabIndex={-1} className="grid gap-4 outline-none">
        {code ? <Notice tone="warning">{problemText(code)}</Notice> : null}
        {stage.kind === 'loading' ? <p className="text-muted">{t('loading')}</p> : null}
        {stage.kind === 'expired' || stage.kind === 'stuck' ? (
          <div className="grid gap-3">
            <p>{t(stage.kind)}</p>
            <Button onClick={() => renew()}>
              {stage.kind === 'expired' ? t('another') : words('retry')}
            </Button>
          </div>
        ) : null}
        {challenge ? (
          <Puzzle
            key={challengeId}
            challenge={challenge}
            isChecking={stage.kind === 'checking'}
            onAnswer={(text) => void answer(challenge, text)}
            onStuck={onStuck}
          />
        ) : null}
        {challenge && challenge.alternatives.length > 0 ? (
          <OtherWays kinds={challenge.alternatives} onChoose={choose} />
        ) : null}
      </div>
    </section>
  );
}

interface PuzzleProps {
  challenge: OfferedChallenge;
  isChecking: boolean;
  onAnswer: (answer: string) => void;
  onStuck: () => void;
}

function Puzzle({ challenge, isChecking, onAnswer, onStuck }: PuzzleProps) {
  switch (challenge.kind) {
    case 'slider':
      return <SliderPuzzle task={challenge} isChecking={isChecking} onAnswer={onAnswer} />;
    case 'arithmetic':
      return <ArithmeticPuzzle task={challenge} isChecking={isChecking} onAnswer={onAnswer} />;
    case 'sound':
      return <SoundPuzzle task={challenge} isChecking={isChecking} onAnswer={onAnswer} />;
    case 'pow':
      return <PowCalculation task={challenge} onAnswer={onAnswer} onStuck={onStuck} />;
  }
}
