import { expect, it } from 'vitest';
import { askInTurn } from './ask-in-turn';

/** Questions that the test answers one by one, in the order in which they were asked. */
function makeAsk() {
  const asked: { id: string; answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const ask = askInTurn((id) => new Promise<string>((answer, fail) => void asked.push({ id, answer, fail })));
  return { asked, ask };
}
const turn = () => new Promise(setImmediate);

it('[F5 O4] about one thing: the first is asked, all who come meanwhile share the next one', async () => {
  const { asked, ask } = makeAsk();
  const answers = [ask('a'), ask('a'), ask('a')];
  await turn();
  expect(asked).toHaveLength(1);
  asked[0]?.answer('old');
  await turn();
  expect(asked).toHaveLength(2);
  const later = ask('a');
  asked[1]?.answer('new');
  await turn();
  asked[2]?.answer('newest');
  expect(await Promise.all([...answers, later])).toEqual(['old', 'new', 'new', 'newest']);
  void ask('a');
  expect(asked).toHaveLength(4);
});

it('[F5 O4] about several things at once, and again after a failure', async () => {
  const { asked, ask } = makeAsk();
  const [first, second, other] = [ask('a'), ask('a'), ask('b')];
  expect(asked.map(({ id }) => id)).toEqual(['a', 'b']);
  asked[0]?.fail(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await turn();
  asked[1]?.answer('b');
  asked[2]?.answer('a');
  expect(await Promise.all([second, other])).toEqual(['a', 'b']);
});
