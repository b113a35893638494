import type { ComponentProps } from 'react';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { ClaimedBar } from './claimed-bar';
import { ConnectionNotice } from './connection-notice';
import { Countdown } from './countdown';
import { countdownPhase } from './countdown-phase';
import { ReservedLine } from './reserved-line';
import { SaleNews } from './sale-news';
import type { PanelSale } from './shown-sale';
import type { useSaleState } from './use-sale-state';

interface SaleStandingProps {
  sale: PanelSale;
  live: ReturnType<typeof useSaleState>;
  /** Server time, epoch ms; null before the page has hydrated. */
  now: number | null;
  source: ComponentProps<typeof ConnectionNotice>['source'];
  /** A purchase is under way. */
  hasAttempt: boolean;
  /** True if another part of the page says that the sale is paused. */
  isPauseShown: boolean;
}

/** Shows how a sale stands, whatever its way to admit people: units, news, countdown, and whether the page is connected. */
export function SaleStanding({ sale, live, now, source, hasAttempt, isPauseShown }: SaleStandingProps) {
  const { state, failures, nextAt } = live;
  const { startsAt, endsAt, reservation } = timesOf(sale, state);
  return (
    <>
      <div className="grid gap-1">
        <ClaimedBar
          stock={state?.stock ?? null}
          totalStock={sale.totalStock}
          isLive={state?.status === 'live'}
        />
        {reservation ? (
          <ReservedLine window={reservation} reserved={state?.reservation?.reserved ?? null} now={now} />
        ) : null}
      </div>
      <SaleNews
        admission={sale.admission}
        state={state}
        now={now}
        startsAt={startsAt}
        isPauseShown={isPauseShown}
      />
      <Countdown
        phase={countdownPhase({ state, now, startsAt, endsAt })}
        now={now}
        startsAt={startsAt}
        endsAt={endsAt}
      />
      <ConnectionNotice
        failures={failures}
        nextAt={nextAt}
        now={now}
        source={source}
        hasAttempt={hasAttempt}
      />
    </>
  );
}

/** Returns a sale's times as they are now: its merchant may have moved them since the page was made. */
export function timesOf(sale: PanelSale, state: SaleState | null) {
  return {
    startsAt: state?.startsAt ?? sale.startsAt,
    endsAt: state?.endsAt ?? sale.endsAt,
    reservation: state?.reservation ?? sale.reservation,
  };
}
