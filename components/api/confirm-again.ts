type Asker = () => Promise<boolean>;

let asker: Asker | null = null;
let asking: Promise<boolean> | null = null;

/** Sets the function that asks visitors to show who they are once more. @returns a function that takes it back */
export function askAgainBy(next: Asker): () => void {
  asker = next;
  return () => {
    if (asker === next) asker = null;
  };
}

/** Asks the visitor to show who they are once more; requests that need it at the same time ask once. @returns whether they did */
export function confirmAgain(): Promise<boolean> {
  asking ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}
