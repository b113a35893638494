import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

/** What has a picture: ways to admit people, what happens to a unit that comes back, and the queue strategy. */
export type PictureOf = 'first_come' | 'waiting_room' | 'draw' | 'waitlist_no' | 'waitlist_yes' | 'queue';

type Tone = 'waits' | 'wins' | 'own';
const FILL: Record<Tone, string> = { waits: 'fill-muted', wins: 'fill-success', own: 'fill-accent' };

/** Draws what a choice means: people as dots, units as boxes. Its text alternative says the same. */
export function ChoicePicture({ of }: { of: PictureOf }) {
  const t = useTranslations('Admin.form.pictures');
  return (
    <svg
      role="img"
      aria-label={t(of)}
      viewBox="0 0 320 80"
      className="h-auto w-full max-w-md rounded-xl border border-line bg-sunken p-2"
    >
      {PICTURES[of]}
    </svg>
  );
}

const Person = ({ x, y, tone = 'waits' }: { x: number; y: number; tone?: Tone }) => (
  <g className={FILL[tone]}>
    <circle cx={x} cy={y - 6} r="4.5" />
    <path d={`M${x - 7} ${y + 9}a7 8 0 0 1 14 0z`} />
  </g>
);

const Unit = ({ x, y, isTaken = false }: { x: number; y: number; isTaken?: boolean }) => (
  <g className={isTaken ? 'fill-success' : 'fill-accent'}>
    <rect x={x - 9} y={y - 9} width="18" height="18" rx="3" />
    <path d={`M${x} ${y - 9}v18`} className="fill-none stroke-2 stroke-sunken" />
  </g>
);

/** From left to right, or along a path. */
const Arrow = ({ d, tip }: { d: string; tip: [x: number, y: number, turn?: number] }) => {
  const [x, y, turn = 0] = tip;
  return (
    <g className="fill-none stroke-2 stroke-muted" strokeLinecap="round" strokeLinejoin="round">
      <path d={d} />
      <path d="M-6 -5L0 0L-6 5" transform={`translate(${x} ${y}) rotate(${turn})`} />
    </g>
  );
};

const Door = ({ x }: { x: number }) => (
  <path
    d={`M${x - 13} 66V28a13 13 0 0 1 26 0v38z`}
    className="fill-panel stroke-2 stroke-accent"
    strokeLinejoin="round"
  />
);

const Speed = ({ x, y, length }: { x: number; y: number; length: number }) => (
  <path
    d={`M${x - 12} ${y - 5}h-${length}M${x - 12} ${y + 2}h-${length * 0.6}`}
    className="fill-none stroke-2 stroke-line"
    strokeLinecap="round"
  />
);

const people = (places: readonly (readonly [number, number, Tone?])[]) =>
  places.map(([x, y, tone]) => <Person key={`${x} ${y}`} x={x} y={y} tone={tone} />);

const line = (from: number, count: number, y = 42) =>
  people(Array.from({ length: count }, (_, at) => [from + at * 22, y] as const));

const PICTURES: Record<PictureOf, ReactNode> = {
  first_come: (
    <>
      <Speed x={190} y={24} length={70} />
      <Speed x={130} y={58} length={45} />
      <Speed x={80} y={34} length={22} />
      {people([
        [190, 24, 'wins'],
        [130, 58],
        [80, 34],
        [40, 56],
      ])}
      <Arrow d="M206 26H248" tip={[248, 26]} />
      <Unit x={270} y={26} isTaken />
      <Unit x={270} y={56} />
      <Unit x={294} y={56} />
    </>
  ),
  waiting_room: (
    <>
      <rect x="6" y="8" width="88" height="64" rx="10" className="fill-panel stroke-2 stroke-line" />
      {people([
        [24, 28],
        [52, 24],
        [78, 32],
        [34, 56],
        [66, 58, 'own'],
      ])}
      <Arrow d="M104 30c14 0 10 22 24 22" tip={[128, 52]} />
      <Arrow d="M104 52c14 0 10 -22 24 -22" tip={[128, 30]} />
      {people([
        [148, 42],
        [170, 42],
        [192, 42],
        [214, 42, 'own'],
        [236, 42],
      ])}
      <Arrow d="M250 42H268" tip={[268, 42]} />
      <Door x={292} />
    </>
  ),
  draw: (
    <>
      {people([
        [20, 26],
        [44, 26],
        [68, 26],
        [20, 58],
        [44, 58],
        [68, 58],
      ])}
      <Arrow d="M84 42H108" tip={[108, 42]} />
      <path d="M118 26h44l-6 40h-32z" className="fill-panel stroke-2 stroke-accent" strokeLinejoin="round" />
      <path
        d="M130 20l8 6M148 16l-4 10M156 24l-8 4"
        className="fill-none stroke-2 stroke-accent"
        strokeLinecap="round"
      />
      <Arrow d="M170 36L194 26" tip={[194, 26, -22]} />
      <Arrow d="M170 50L194 58" tip={[194, 58, 18]} />
      {people([[212, 26, 'wins']])}
      <Unit x={234} y={26} isTaken />
      {people([[258, 26, 'wins']])}
      <Unit x={280} y={26} isTaken />
      {line(212, 5, 60)}
    </>
  ),
  waitlist_no: (
    <>
      <Person x={30} y={42} />
      <Unit x={56} y={42} />
      <Arrow d="M76 42H130" tip={[130, 42]} />
      <path d="M142 64H206M142 24H206" className="fill-none stroke-2 stroke-line" strokeLinecap="round" />
      <Unit x={160} y={50} />
      <Unit x={186} y={50} />
      <Arrow d="M262 28L218 42" tip={[218, 42, 162]} />
      <Arrow d="M262 58L218 48" tip={[218, 48, 193]} />
      {people([
        [278, 28],
        [278, 60],
        [302, 44],
      ])}
    </>
  ),
  waitlist_yes: (
    <>
      <Person x={30} y={42} />
      <Unit x={56} y={42} />
      <Arrow d="M76 36C100 10 140 10 158 26" tip={[158, 26, 42]} />
      {people([[176, 46, 'wins']])}
      <Unit x={176} y={22} isTaken />
      {line(202, 5, 46)}
    </>
  ),
  queue: (
    <>
      {line(20, 6)}
      <Arrow d="M144 42H166" tip={[166, 42]} />
      <circle cx="190" cy="42" r="18" className="fill-panel stroke-2 stroke-accent" />
      <path
        d="M190 30v12l8 6"
        className="fill-none stroke-2 stroke-accent"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <Arrow d="M212 34L240 24" tip={[240, 24, -20]} />
      <Arrow d="M212 50L240 58" tip={[240, 58, 16]} />
      <Person x={260} y={26} tone="wins" />
      <Unit x={284} y={26} isTaken />
      <Person x={260} y={60} />
    </>
  ),
};
