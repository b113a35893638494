/** The process whose streams follow a sale. */
import { answerParent } from './load-process';
import type { WatchAnswer, WatchQuestion } from './types';
import { createWatchers } from './watch';

const watchers = createWatchers();

answerParent(async (question: WatchQuestion): Promise<WatchAnswer> => {
  if (question.ask === 'open') await watchers.open(question.port, question.saleId, question.count);
  if (question.ask === 'close') watchers.close();
  const learntAtMs = question.ask === 'learnt' ? watchers.learnt(question.status) : [];
  return { open: watchers.count(), learntAtMs };
});
