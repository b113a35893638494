import { problemCode } from '@/components/api/api-problem';
import { remedyRefusals } from '@/components/api/request';

type Asker = () => Promise<boolean>;

let asker: Asker | null = null;
let asking: Promise<boolean> | null = null;

/**
 * Sets the function that asks visitors to show who they are once more. A request that needs it asks, and is sent again.
 * @returns a function that takes it back
 */
export function askAgainBy(next: Asker): () => void {
  asker = next;
  const takeBack = remedyRefusals(async (error) => problemCode(error) === 'CONFIRM_AGAIN' && askToConfirm());
  return () => {
    takeBack();
    if (asker === next) asker = null;
  };
}

/** Asks the visitor to show who they are once more; requests that need it at the same time ask once. @returns whether they did */
export function askToConfirm(): Promise<boolean> {
  asking ??= (asker?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}
