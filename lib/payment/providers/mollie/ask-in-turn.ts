type Turn<T> = { answer: Promise<unknown>; next: Promise<T> | null };

/**
 * Returns a way to ask about many things, but about the same one only once at a time. All who ask meanwhile share the
 * question that follows, whose answer is newer than what made them ask. So a crowd that asks about one thing costs no more
 * than one question after the other.
 */
export function askInTurn<T>(ask: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const turns = new Map<string, Turn<T>>();

  function start(id: string): Promise<T> {
    const asked = ask(id);
    const turn: Turn<T> = { answer: asked.catch(() => {}), next: null };
    turns.set(id, turn);
    void turn.answer.then(() => {
      if (!turn.next) turns.delete(id);
    });
    return asked;
  }

  return (id) => {
    const turn = turns.get(id);
    if (!turn) return start(id);
    turn.next ??= turn.answer.then(() => start(id));
    return turn.next;
  };
}
