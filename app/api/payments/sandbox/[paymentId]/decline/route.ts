import { answerFinish } from '../answer-finish';

export const POST = answerFinish('decline');
