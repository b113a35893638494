import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerHealth } from '@/lib/health/answer-health';
import { problemReply } from '@/lib/http/problem';
import { answerFailure } from './answer-failure';
import type { Limits } from './limits';
import type { KeptPlace, PageCache } from './page-cache';
import { clientOf, refuseTurn } from './pass-to-next';
import { problemForReader } from './problem-page';
import { refuseOdd } from './refuse-odd';
import type { SendReply } from './send-reply';
import { pathOf, type SiteMap } from './site-map';

type ColdPath = (request: IncomingMessage, response: ServerResponse, target: string) => Promise<void>;

type ColdPathOptions = {
  send: SendReply;
  limits: Limits;
  /** Passes a request on to Next. */
  toNext: (request: IncomingMessage, response: ServerResponse) => void;
  site?: SiteMap;
  /** Next answers pages and files if this is left out. */
  pages?: PageCache;
};

/**
 * Answers requests off the hot routes, and for pages: refuses odd requests and wrong addresses at once, and serves health checks,
 * pages and files from memory; only the rest goes to Next.
 */
export function createColdPath({ send, limits, toNext, site, pages }: ColdPathOptions): ColdPath {
  const sendPage = async (request: IncomingMessage, response: ServerResponse, place: KeptPlace) => {
    const answer = await (pages as PageCache).get(request, place, clientOf(request));
    if ('page' in answer) {
      const { status, headers, body } = answer.page;
      response.writeHead(status, [...headers]);
      response.end(body);
      return;
    }
    switch (answer.refusal) {
      case 'missing':
        if (!site || place.kind === 'nothing') return send(response, problemReply('NOT_FOUND'));
        return sendPage(request, response, site.missing(place.key));
      case 'personal':
        return toNext(request, response);
      default:
        return send(response, problemForReader(request, refuseTurn(answer.refusal, limits.next)));
    }
  };

  return async (request, response, target) => {
    const refusal = refuseOdd(request.method, target);
    if (refusal) return send(response, refusal);
    const path = pathOf(target);
    try {
      const health = answerHealth(path);
      if (health) return send(response, await health);
      const place = site?.find(path);
      if (place?.kind === 'nothing' && place.key === null) return send(response, problemReply('NOT_FOUND'));
      // A cached interface sends its 405 itself; a fragment for Next's router in the browser is not the page.
      const wantsOther = !isQuestion(request.method) || request.headers.rsc !== undefined;
      const isKept = place?.kind === 'kept' && !wantsOther;
      if (!place || !pages || (place.kind !== 'nothing' && !isKept)) return toNext(request, response);
      await sendPage(request, response, place as KeptPlace);
    } catch (error) {
      answerFailure(send, error, request, response);
    }
  };
}

const isQuestion = (method: string | undefined) => method === 'GET' || method === 'HEAD';
