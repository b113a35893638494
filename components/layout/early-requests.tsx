import { askingScript, askingScriptOf } from '@/components/api/early-answers';
import { visitAddress } from '@/components/session/visit-address';

/**
 * Asks the shop while the page's scripts are still on their way, which saves a first visitor a round trip after them.
 * `fetchJson` takes the answers.
 * @param paths addresses of GET endpoints, the same for every visitor
 */
export function EarlyRequests({ paths }: { paths: readonly string[] }) {
  return <script>{askingScript(paths)}</script>;
}

/** Asks in the same way who visits. The layout is the same for all pages, so the browser looks which one it is on. */
export function EarlyVisit() {
  return <script>{askingScriptOf(visitAddress)}</script>;
}
